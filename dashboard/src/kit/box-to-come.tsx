import { inputStyle, type FieldProps } from "./field.tsx";

interface Props extends FieldProps {
  text: string | undefined;
  className?: string;
}

/** What a box of choices looks like until its code is there: nothing moves when it takes this place. */
export function BoxToCome({ label, isLabelHidden, description, text, className = "" }: Props) {
  return (
    <div aria-hidden="true" data-to-come="" className={`flex min-w-0 flex-col gap-1 ${className}`}>
      {!isLabelHidden && <span className="text-sm font-medium text-ink">{label}</span>}
      <span className={`${inputStyle} flex items-center`}>
        <span className="truncate">{text}</span>
      </span>
      {description && <span className="text-sm text-faint">{description}</span>}
    </div>
  );
}
