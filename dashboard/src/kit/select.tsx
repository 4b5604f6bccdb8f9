import { Button } from "react-aria-components/Button";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Select as AriaSelect, SelectValue, type SelectProps } from "react-aria-components/Select";
import { Field, inputStyle, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { itemStyle, Popover } from "./popover.tsx";

export interface Choice {
  id: string;
  label: string;
  description?: string;
}

interface Props
  extends
    FieldProps,
    Omit<SelectProps<Choice>, "children" | "className" | "onChange" | "value" | "defaultValue"> {
  choices: readonly Choice[];
  value?: string | null;
  defaultValue?: string;
  onChange?: (id: string) => void;
  className?: string;
}

/** One of a few choices. For more than about a dozen take the combo box. */
export function Select({
  label,
  isOptional,
  description,
  isLabelHidden,
  choices,
  value,
  defaultValue,
  onChange,
  className = "",
  ...props
}: Props) {
  return (
    <AriaSelect
      {...props}
      {...(value === undefined ? {} : { value })}
      {...(defaultValue === undefined ? {} : { defaultValue })}
      onChange={(key) => onChange?.(String(key))}
      className={`flex min-w-0 flex-col gap-1 ${className}`}
    >
      <Field {...{ label, isOptional, description, isLabelHidden }}>
        <Button
          className={`${inputStyle} flex cursor-pointer items-center justify-between gap-2 text-left`}
        >
          <SelectValue className="truncate placeholder:text-faint">
            {({ isPlaceholder, selectedText, defaultChildren }) =>
              isPlaceholder ? defaultChildren : selectedText
            }
          </SelectValue>
          <Icon name="chevronDown" className="size-3.5 text-faint" />
        </Button>
      </Field>
      <Popover className="min-w-(--trigger-width)">
        <ListBox items={choices} className="outline-none">
          {(choice) => (
            <ListBoxItem
              id={choice.id}
              textValue={choice.label}
              className={`${itemStyle} group justify-between`}
            >
              <span className="flex flex-col">
                <span>{choice.label}</span>
                {choice.description && (
                  <span className="text-sm text-faint">{choice.description}</span>
                )}
              </span>
              <Icon name="check" className="invisible size-4 text-accent group-selected:visible" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
