import {
  Radio,
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps,
} from "react-aria-components/RadioGroup";
import { Field, type FieldProps } from "./field.tsx";
import type { Choice } from "./select.tsx";

interface Props extends FieldProps, Omit<RadioGroupProps, "children" | "className"> {
  choices: readonly Choice[];
  className?: string;
}

/** One of two to five choices, all in sight. */
export function RadioGroup({
  label,
  isOptional,
  description,
  isLabelHidden,
  choices,
  className = "",
  ...props
}: Props) {
  return (
    <AriaRadioGroup {...props} className={`flex flex-col gap-1.5 ${className}`}>
      <Field {...{ label, isOptional, description, isLabelHidden }}>
        {choices.map((choice) => (
          <Radio
            key={choice.id}
            value={choice.id}
            className="group flex cursor-pointer items-start gap-2 text-base disabled:opacity-60"
          >
            <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-surface group-selected:border-[5px] group-selected:border-accent group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-accent" />
            <span className="flex flex-col">
              <span>{choice.label}</span>
              {choice.description && (
                <span className="text-sm text-faint">{choice.description}</span>
              )}
            </span>
          </Radio>
        ))}
      </Field>
    </AriaRadioGroup>
  );
}
