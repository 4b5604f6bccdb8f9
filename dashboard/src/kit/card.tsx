import type { ReactNode } from "react";

interface Props {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
  /** Without inner margins, for tables. */
  isFlush?: boolean;
  className?: string;
}

/** One subject of a screen on a ground of its own. */
export function Card({ title, actions, children, isFlush, className = "" }: Props) {
  return (
    <section
      className={`min-w-0 rounded-xl border border-line bg-surface shadow-card ${isFlush ? "overflow-clip" : ""} ${className}`}
    >
      {title && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 px-5 pt-3 pb-1">
          <h2 className="text-lg font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      <div className={isFlush ? "" : `px-5 pb-5 ${title ? "pt-2" : "pt-5"}`}>{children}</div>
    </section>
  );
}
