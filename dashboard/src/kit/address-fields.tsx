import { useMemo } from "react";
import type { AddressDraft } from "./address.ts";
import { Checkbox } from "./checkbox.tsx";
import { ComboBox } from "./combo-box.tsx";
import { countryChoices } from "./countries.ts";
import { parseAddress } from "./parse-address.ts";
import { TextField } from "./text-field.tsx";
import { kitWords } from "./words.ts";
import { regionOf, useLocale, useWords } from "../words/locale.tsx";

interface Props {
  /** The API's path of the address: its fields are named `to_address.city`. */
  path: string;
  value: AddressDraft;
  onChange: (value: AddressDraft) => void;
  /** An address that was pasted whole has been read into the fields. */
  onPasted?: () => void;
}

/** The fields of an address. A whole address that is pasted into any of the first lines fills them all. */
export function AddressFields({ path, value, onChange, onPasted }: Props) {
  const words = useWords(kitWords).address;
  const { locale } = useLocale();
  const countries = useMemo(() => countryChoices(regionOf(locale)), [locale]);
  const field = (name: Exclude<keyof AddressDraft, "is_residential">) => ({
    label: words[name],
    name: `${path}.${name}`,
    value: value[name],
    onChange: (text: string) => onChange({ ...value, [name]: text }),
  });
  const paste = (event: React.ClipboardEvent) => {
    const read = parseAddress(event.clipboardData.getData("text"));
    if (!read) return;
    event.preventDefault();
    onChange(read);
    onPasted?.();
  };
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-6" onPaste={paste}>
      <TextField {...field("name")} className="col-span-2 sm:col-span-3" autoComplete="off" />
      <TextField
        {...field("company")}
        isOptional
        className="col-span-2 sm:col-span-3"
        autoComplete="off"
      />
      <TextField {...field("address1")} className="col-span-2 sm:col-span-4" autoComplete="off" />
      <TextField {...field("address2")} isOptional className="col-span-2" autoComplete="off" />
      <TextField {...field("city")} className="col-span-2" autoComplete="off" />
      <TextField {...field("province_code")} autoComplete="off" />
      <TextField {...field("postal_code")} autoComplete="off" />
      <ComboBox
        label={words.country_code}
        name={`${path}.country_code`}
        formValue="key"
        choices={countries}
        className="col-span-2"
        value={value.country_code}
        onChange={(key) => key && onChange({ ...value, country_code: String(key) })}
      />
      <TextField
        {...field("phone")}
        isOptional
        className="col-span-2 sm:col-span-3"
        type="tel"
        autoComplete="off"
      />
      <TextField
        {...field("email")}
        isOptional
        className="col-span-2 sm:col-span-3"
        type="email"
        autoComplete="off"
      />
      <Checkbox
        className="col-span-2 sm:col-span-6"
        isSelected={value.is_residential}
        onChange={(is_residential) => onChange({ ...value, is_residential })}
      >
        {words.is_residential}
      </Checkbox>
    </div>
  );
}
