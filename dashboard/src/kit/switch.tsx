import type { ReactNode } from "react";
import { Switch as AriaSwitch, type SwitchProps } from "react-aria-components/Switch";

interface Props extends Omit<SwitchProps, "children" | "className"> {
  children: ReactNode;
  description?: ReactNode;
}

/** On or off, in effect at once. */
export function Switch({ children, description, ...props }: Props) {
  return (
    <AriaSwitch
      {...props}
      className="group flex cursor-pointer items-start gap-2.5 text-base disabled:cursor-default disabled:opacity-60"
    >
      <span className="mt-0.5 flex h-4.5 w-8 shrink-0 items-center rounded-full border border-control bg-pressed p-px transition-colors group-selected:border-accent group-selected:bg-accent group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-accent">
        <span className="size-3.5 rounded-full bg-control transition-transform group-selected:translate-x-3.5 group-selected:bg-on-accent" />
      </span>
      <span className="flex flex-col">
        <span>{children}</span>
        {description && <span className="text-sm text-faint">{description}</span>}
      </span>
    </AriaSwitch>
  );
}
