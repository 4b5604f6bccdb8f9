import type { ReactNode } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

/** The classes of a box that is typed into. */
export const inputStyle =
  "h-9 w-full min-w-0 rounded-md border border-control bg-surface px-2.5 text-base text-ink placeholder:text-faint outline-none transition-colors focus:border-accent focus:ring-1 focus:ring-accent invalid:border-danger disabled:opacity-60 disabled:bg-hover [&[readonly]]:border-line [&[readonly]]:bg-hover [&[readonly]]:text-soft";

export interface FieldProps {
  label: string;
  /** Beside the label, for what may be left out. */
  isOptional?: boolean;
  description?: ReactNode;
  /** The label stays for screen readers only, where the place says what the field is. */
  isLabelHidden?: boolean;
}

/** The label above a control and, below it, its explanation and what is wrong with it. */
export function Field({
  label,
  isOptional,
  description,
  isLabelHidden,
  children,
}: FieldProps & { children: ReactNode }) {
  const words = useWords(kitWords);
  return (
    <>
      <Label className={isLabelHidden ? "sr-only" : "text-sm font-medium text-ink"}>
        {label}
        {isOptional && (
          <>
            {" "}
            <span className="font-normal whitespace-nowrap text-faint">· {words.optional}</span>
          </>
        )}
      </Label>
      {children}
      {description && (
        <Text slot="description" className="text-sm text-faint">
          {description}
        </Text>
      )}
      <FieldError className="text-sm text-danger" />
    </>
  );
}
