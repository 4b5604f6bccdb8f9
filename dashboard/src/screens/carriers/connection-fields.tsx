import type { CatalogueCarrier } from "@waybill/sdk";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { carrierWords } from "./words.ts";

type ConnectionField = CatalogueCarrier["connection_fields"][number];

/** What was typed, by the field's name. An empty text is no value. */
export type FieldTexts = Record<string, string>;

interface Props {
  carrier: CatalogueCarrier;
  /** Which part of a connection: what every answer shows, or what is only written. */
  group: ConnectionField["group"];
  texts: FieldTexts;
  onChange: (texts: FieldTexts) => void;
}

/** The fields of one part of a carrier's connections, as the API lists them. */
export function ConnectionFields({ carrier, group, texts, onChange }: Props) {
  const fields = carrier.connection_fields.filter((field) => field.group === group);
  return (
    <div className={`grid items-start gap-4 ${fields.length > 1 ? "sm:grid-cols-2" : ""}`}>
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={texts[field.name] ?? ""}
          onChange={(text) => onChange({ ...texts, [field.name]: text })}
        />
      ))}
    </div>
  );
}

interface OneFieldProps {
  field: ConnectionField;
  value: string;
  onChange: (text: string) => void;
}

function OneField({ field, value, onChange }: OneFieldProps) {
  const words = useWords(carrierWords);
  // Of a field that is not known here, what the API says of it.
  const { label, note } = words.fields[field.name] ?? {
    label: field.name,
    note: field.description,
  };
  const shared = {
    label,
    description: note,
    name: `${field.group}.${field.name}`,
    isOptional: !field.is_required,
    value,
    onChange,
  };
  if (field.options)
    return (
      <Select
        {...shared}
        choices={[
          { id: "", label: words.notChosen },
          ...field.options.map((id) => ({ id, label: id })),
        ]}
      />
    );
  return (
    <TextField
      {...shared}
      isMono
      autoComplete="off"
      {...(field.is_write_only ? { type: "password", autoComplete: "new-password" } : {})}
    />
  );
}

/** The fields that have a text: what the API takes. */
export function filledOf(texts: FieldTexts): FieldTexts {
  const entries = Object.entries(texts).map(([name, text]) => [name, text.trim()] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ""));
}
