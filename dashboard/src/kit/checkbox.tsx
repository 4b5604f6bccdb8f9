import type { ReactNode } from "react";
import { Checkbox as AriaCheckbox, type CheckboxProps } from "react-aria-components/Checkbox";
import { Icon } from "./icon.tsx";

interface Props extends Omit<CheckboxProps, "children" | "className"> {
  children?: ReactNode;
  description?: ReactNode;
  className?: string;
}

/** Yes or no, sent with the form it is in. */
export function Checkbox({ children, description, className = "", ...props }: Props) {
  return (
    <AriaCheckbox
      {...props}
      className={`group flex cursor-pointer items-start gap-2 text-base disabled:cursor-default disabled:opacity-60 ${className}`}
    >
      <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded border border-control bg-surface text-on-accent group-selected:border-accent group-selected:bg-accent group-indeterminate:border-accent group-indeterminate:bg-accent group-invalid:border-danger group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-accent">
        <Icon name="check" className="hidden size-3.5 group-selected:block" />
        <span className="hidden h-0.5 w-2 rounded bg-on-accent group-indeterminate:block" />
      </span>
      {(children || description) && (
        <span className="flex flex-col">
          <span>{children}</span>
          {description && <span className="text-sm text-faint">{description}</span>}
        </span>
      )}
    </AriaCheckbox>
  );
}
