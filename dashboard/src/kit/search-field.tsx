import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import {
  SearchField as AriaSearchField,
  type SearchFieldProps,
} from "react-aria-components/SearchField";
import { inputStyle } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

interface Props extends Omit<SearchFieldProps, "children" | "className"> {
  label: string;
  className?: string;
}

/** Searches what is below it. `/` puts the cursor here. */
export function SearchField({ label, className = "", ...props }: Props) {
  const words = useWords(kitWords);
  return (
    <AriaSearchField
      {...props}
      aria-label={label}
      className={`group relative flex min-w-0 ${className}`}
    >
      <Icon
        name="search"
        className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-faint"
      />
      <Input
        data-search=""
        placeholder={label}
        className={`${inputStyle} pr-8 pl-8.5 [&::-webkit-search-cancel-button]:hidden`}
      />
      <Button
        aria-label={words.clear}
        className="absolute inset-y-0 right-0 flex w-8 cursor-pointer items-center justify-center text-faint outline-none group-empty:hidden"
      >
        <Icon name="close" className="size-3.5" />
      </Button>
    </AriaSearchField>
  );
}
