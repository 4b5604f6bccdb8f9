import { Input } from "react-aria-components/Input";
import {
  NumberField as AriaNumberField,
  type NumberFieldProps,
} from "react-aria-components/NumberField";
import { Field, inputStyle, type FieldProps } from "./field.tsx";

interface Props extends FieldProps, Omit<NumberFieldProps, "children" | "className"> {
  placeholder?: string;
  className?: string;
  /** Shown in the box behind the number: a unit or a currency. */
  suffix?: string;
}

/** A number as the language writes it: a comma in French. Empty is `NaN`, as React Aria has it. */
export function NumberField({
  label,
  isOptional,
  description,
  isLabelHidden,
  placeholder,
  suffix,
  className = "",
  ...props
}: Props) {
  return (
    <AriaNumberField {...props} className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <Field {...{ label, isOptional, description, isLabelHidden }}>
        <span className="relative flex">
          <Input
            placeholder={placeholder}
            className={`${inputStyle} tabular ${suffix ? "pr-10" : ""}`}
          />
          {suffix && (
            <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-sm text-faint">
              {suffix}
            </span>
          )}
        </span>
      </Field>
    </AriaNumberField>
  );
}
