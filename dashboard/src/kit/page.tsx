import { useEffect, type ReactNode } from "react";

interface Props {
  title: string;
  /** Beside the title: a state. */
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Screens of forms and text read better narrow. */
  width?: "full" | "narrow";
}

/** The frame of a screen: its title, which is the document's too, and what can be done there. */
export function Page({ title, badge, description, actions, children, width = "full" }: Props) {
  useEffect(() => {
    document.title = `${title} · Waybill`;
  }, [title]);
  return (
    <div
      className={`mx-auto flex w-full flex-col gap-5 px-4 py-5 sm:px-6 sm:py-6 ${width === "narrow" ? "max-w-4xl" : "max-w-7xl"}`}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {badge}
          </div>
          {description && <div className="mt-1 text-soft">{description}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
