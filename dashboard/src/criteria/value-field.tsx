import { useMemo, useState } from "react";
import { ComboBox } from "../kit/combo-box.tsx";
import { countryChoices } from "../kit/countries.ts";
import { NumberField } from "../kit/number-field.tsx";
import { Select } from "../kit/select.tsx";
import { TextField } from "../kit/text-field.tsx";
import { regionOf, useLocale, useWords } from "../words/locale.tsx";
import type { Kind, Operator, Value } from "./fields.ts";
import { criteriaWords } from "./words.ts";

interface Props {
  kind: Kind;
  operator: Operator;
  value: Value;
  onChange: (value: Value) => void;
  path: string;
}

/** What a field is compared with: one value, a list, or two bounds. */
export function ValueField({ kind, operator, value, onChange, path }: Props) {
  const words = useWords(criteriaWords);
  if (operator === "exists" || operator === "not_exists") return <span />;
  if (operator === "in" || operator === "not_in")
    return <List kind={kind} value={value} onChange={onChange} path={path} />;
  if (operator !== "between")
    return <One kind={kind} label={words.value} value={value} onChange={onChange} path={path} />;
  const [low, high] = (Array.isArray(value) ? value : []) as Value[];
  return (
    <span className="grid grid-cols-1 gap-2 xl:grid-cols-2">
      <One
        kind={kind}
        label={words.low}
        value={low}
        onChange={(next) => onChange([next, high] as Value)}
        path={`${path}.0`}
      />
      <One
        kind={kind}
        label={words.high}
        value={high}
        onChange={(next) => onChange([low, next] as Value)}
        path={`${path}.1`}
      />
    </span>
  );
}

interface OneProps extends Omit<Props, "operator"> {
  label: string;
}

const units = { weight: ["kg", "g", "lbs", "oz"], length: ["cm", "in"] };

function One({ kind, label, value, onChange, path }: OneProps) {
  const words = useWords(criteriaWords);
  if (kind === "flag")
    return (
      <Select
        label={label}
        isLabelHidden
        name={path}
        choices={[
          { id: "true", label: words.yes },
          { id: "false", label: words.no },
        ]}
        value={value === false ? "false" : "true"}
        onChange={(id) => onChange(id === "true")}
      />
    );
  if (kind === "country") return <Country {...{ label, value, onChange, path }} />;
  if (kind === "text" || kind === "moment")
    return (
      <TextField
        label={label}
        isLabelHidden
        name={path}
        placeholder={label}
        type={kind === "moment" ? "date" : "text"}
        value={typeof value === "string" ? value : ""}
        onChange={onChange}
      />
    );
  const number = (at: number | undefined, change: (next: number) => void) => (
    <NumberField
      label={label}
      isLabelHidden
      name={path}
      className="grow"
      value={at ?? NaN}
      onChange={change}
      minValue={0}
      formatOptions={{ maximumFractionDigits: 3 }}
    />
  );
  if (kind !== "weight" && kind !== "length") return number(value as number, onChange);
  const measure = (value ?? {}) as { value: number; unit: string };
  return (
    <span className="flex gap-2">
      {number(measure.value, (next) => onChange({ ...measure, value: next }))}
      <Select
        label={words.unit}
        isLabelHidden
        className="w-20 shrink-0"
        choices={units[kind].map((id) => ({ id, label: id }))}
        value={measure.unit}
        onChange={(unit) => onChange({ ...measure, unit })}
      />
    </span>
  );
}

function Country({ label, value, onChange, path }: Omit<OneProps, "kind">) {
  const { locale } = useLocale();
  const countries = useMemo(() => countryChoices(regionOf(locale)), [locale]);
  return (
    <ComboBox
      label={label}
      isLabelHidden
      name={path}
      formValue="key"
      choices={countries}
      value={typeof value === "string" ? value : null}
      onChange={(id) => id !== null && onChange(id)}
    />
  );
}

function List({ kind, value, onChange, path }: Omit<Props, "operator">) {
  const words = useWords(criteriaWords);
  const [typed, setText] = useState("");
  const entriesOf = (text: string) =>
    text
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean)
      .map((each) => readEntry(kind, each));
  const known = Array.isArray(value) ? value : [];
  // What is typed stays as it is typed, as long as it stands for the value: a removed condition moves the others.
  const text = isSame(entriesOf(typed), known) ? typed : known.map(textOf).join(", ");
  return (
    <TextField
      label={words.list}
      isLabelHidden
      name={path}
      placeholder={words.list}
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(entriesOf(next) as Value);
      }}
    />
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const { value: amount, unit } = value as { value: number; unit: string };
  return `${amount} ${unit}`;
}

/** "2 kg" of a weight, "5" of a number; what cannot be read is sent as it is, and the API says so. */
function readEntry(kind: Kind, text: string): unknown {
  if (kind === "text" || kind === "country" || kind === "moment") return text;
  const [amount = "", unit] = text.split(/\s+/);
  if (Number.isNaN(Number(amount))) return text;
  return unit ? { value: Number(amount), unit } : Number(amount);
}
