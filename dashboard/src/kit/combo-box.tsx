import type { ReactNode } from "react";
import { Button } from "react-aria-components/Button";
import { ComboBox as AriaComboBox, type ComboBoxProps } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Field, inputStyle, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { itemStyle, Popover } from "./popover.tsx";
import type { Choice } from "./select.tsx";

interface Props
  extends
    FieldProps,
    Omit<
      ComboBoxProps<Choice>,
      "children" | "className" | "onChange" | "value" | "defaultValue" | "items" | "selectionMode"
    > {
  choices: Iterable<Choice>;
  value?: string | null;
  onChange?: (id: string | null) => void;
  placeholder?: string;
  className?: string;
  /** Drawn instead of the label in the list. */
  renderChoice?: (choice: Choice) => ReactNode;
}

/** One of many choices, found by typing a part of it. */
export function ComboBox({
  label,
  isOptional,
  description,
  isLabelHidden,
  choices,
  placeholder,
  className = "",
  renderChoice,
  onChange,
  ...props
}: Props) {
  return (
    <AriaComboBox
      {...props}
      onChange={(key) => onChange?.(key === null ? null : String(key))}
      defaultItems={choices}
      className={`flex min-w-0 flex-col gap-1 ${className}`}
    >
      <Field {...{ label, isOptional, description, isLabelHidden }}>
        <span className="relative flex">
          <Input placeholder={placeholder} className={`${inputStyle} pr-8`} />
          <Button className="absolute inset-y-0 right-0 flex w-8 cursor-pointer items-center justify-center text-faint outline-none">
            <Icon name="chevronDown" className="size-3.5" />
          </Button>
        </span>
      </Field>
      <Popover className="min-w-(--trigger-width)">
        <ListBox<Choice> className="max-h-80 outline-none">
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.label} className={itemStyle}>
              {renderChoice ? (
                renderChoice(choice)
              ) : (
                <span className="flex min-w-0 flex-col">
                  <span className="truncate">{choice.label}</span>
                  {choice.description && (
                    <span className="truncate text-sm text-faint">{choice.description}</span>
                  )}
                </span>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
