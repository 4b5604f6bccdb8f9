import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";

interface Props {
  icon: IconName;
  title: string;
  children?: ReactNode;
  /** What to do about it: one button or link. */
  action?: ReactNode;
}

/** A screen or list that has nothing to show yet: what would be here, and the one thing to do. */
export function Empty({ icon, title, children, action }: Props) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <span className="mb-1 flex size-11 items-center justify-center rounded-full bg-hover text-soft">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="text-lg font-semibold">{title}</p>
      {children && <div className="max-w-md text-soft">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
