import type { ReactNode } from "react";
import { Popover as AriaPopover, type PopoverProps } from "react-aria-components/Popover";

/** What opens beside a control: menus, lists of choices. */
export function Popover({
  className = "",
  ...props
}: PopoverProps & { className?: string; children: ReactNode }) {
  return (
    <AriaPopover
      offset={4}
      {...props}
      className={`appear max-w-[calc(100vw-1rem)] overflow-auto rounded-lg border border-line bg-raised p-1 shadow-raised outline-none ${className}`}
    />
  );
}

/** The classes of one line in a menu or list of choices. */
export const itemStyle =
  "flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-base text-ink outline-none focus:bg-hover hover:bg-hover pressed:bg-pressed disabled:cursor-default disabled:opacity-50";
