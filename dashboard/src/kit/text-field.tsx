import { Input } from "react-aria-components/Input";
import { TextField as AriaTextField, type TextFieldProps } from "react-aria-components/TextField";
import { TextArea } from "react-aria-components/TextArea";
import { Field, inputStyle, type FieldProps } from "./field.tsx";

interface Props extends FieldProps, Omit<TextFieldProps, "children" | "className"> {
  placeholder?: string;
  className?: string;
  /** More than one line of text. */
  rows?: number;
  isMono?: boolean;
}

/** A line of text, or several. */
export function TextField({
  label,
  isOptional,
  description,
  isLabelHidden,
  placeholder,
  className = "",
  rows,
  isMono,
  ...props
}: Props) {
  const style = `${inputStyle} ${isMono ? "font-mono text-sm" : ""}`;
  return (
    <AriaTextField {...props} className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <Field {...{ label, isOptional, description, isLabelHidden }}>
        {rows ? (
          <TextArea rows={rows} placeholder={placeholder} className={`${style} h-auto py-2`} />
        ) : (
          <Input placeholder={placeholder} className={style} />
        )}
      </Field>
    </AriaTextField>
  );
}
