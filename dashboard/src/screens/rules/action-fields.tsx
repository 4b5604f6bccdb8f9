import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { carriersQuery } from "../../carriers-query.ts";
import { useEnvironment } from "../../environment.ts";
import { AddressFields } from "../../kit/address-fields.tsx";
import { fromDraft, toDraft } from "../../kit/address.ts";
import { ComboBox } from "../../kit/combo-box.tsx";
import { countryChoices } from "../../kit/countries.ts";
import { NumberField } from "../../kit/number-field.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { accountQuery } from "../../shell/queries.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import type { ActionDraft } from "./draft.ts";
import { ruleWords } from "./words.ts";

interface Props {
  action: ActionDraft;
  onChange: (action: ActionDraft) => void;
  /** The API's path of the action: errors are shown at `actions.2.max_total`. */
  path: string;
}

/** The fields of one action. What is empty is not sent, and the API says what is missing. */
export function ActionFields({ action, onChange, path }: Props) {
  const words = useWords(ruleWords).fields;
  const bind = fieldsOf({ action, onChange, path });
  const text = (name: string, label: string, rows?: number) => (
    <TextField label={label} {...bind.text(name)} {...(rows ? { rows } : {})} />
  );
  switch (action.type) {
    case "set_service":
      return <ServiceAction {...{ action, onChange, path }} />;
    case "exclude_carrier":
      return <CarrierField {...{ action, onChange, path }} />;
    case "exclude_service":
      return <ServiceField {...{ action, onChange, path }} />;
    case "set_package":
    case "add_weight":
      return <SizeFields {...{ action, onChange, path }} />;
    case "add_add_on":
      return <Choose bind={bind.choice("add_on")} label={words.add_on} choices={words.addOns} />;
    case "set_from_address":
      return (
        <AddressFields
          path={`${path}.address`}
          value={toDraft(action["address"] ?? {})}
          onChange={(address) => onChange({ ...action, address: fromDraft(address) })}
        />
      );
    case "set_customs":
      return <CustomsFields {...{ action, onChange, path }} />;
    case "add_tag":
    case "remove_tag":
      return text("tag", words.tag);
    case "set_reference":
      return text("reference", words.reference);
    case "add_to_batch":
      return text("name", words.batch);
    case "buy_label":
      return <MaxTotal {...{ action, onChange, path }} />;
    case "reject":
      return text("message", words.message, 2);
    case "hold":
      return <p className="text-soft">{words.hold}</p>;
  }
}

/** The properties of a control for a field of the action, by the kind of its value. */
function fieldsOf({ action, onChange, path }: Props) {
  const set = (name: string, value: unknown) => {
    const { [name]: _old, ...rest } = action;
    onChange((value === undefined ? rest : { ...rest, [name]: value }) as ActionDraft);
  };
  return {
    set,
    text: (name: string) => ({
      name: `${path}.${name}`,
      value: typeof action[name] === "string" ? action[name] : "",
      onChange: (value: string) => set(name, value),
    }),
    number: (name: string) => ({
      name: `${path}.${name}`,
      value: typeof action[name] === "number" ? action[name] : NaN,
      onChange: (value: number) => set(name, Number.isNaN(value) ? undefined : value),
      minValue: 0,
    }),
    choice: (name: string) => ({
      name: `${path}.${name}`,
      value: typeof action[name] === "string" ? action[name] : null,
      onChange: (value: string | null) => set(name, value === null ? undefined : value),
    }),
  };
}

interface ChooseProps {
  label: string;
  choices: Record<string, string>;
  bind: { name: string; value: string | null; onChange: (value: string | null) => void };
  /** What it is called not to set it; without it one has to be chosen. */
  none?: string;
  className?: string;
}

const unset = "-";

function Choose({ label, choices, bind, none, className }: ChooseProps) {
  const entries = Object.entries(choices).map(([id, name]) => ({ id, label: name }));
  return (
    <Select
      label={label}
      name={bind.name}
      {...(className ? { className } : {})}
      choices={none ? [{ id: unset, label: none }, ...entries] : entries}
      value={bind.value ?? (none ? unset : null)}
      onChange={(id) => bind.onChange(id === unset ? null : id)}
    />
  );
}

function MaxTotal({ isOptional, ...props }: Props & { isOptional?: boolean }) {
  const words = useWords(ruleWords).fields;
  const currency = useQuery(accountQuery(useEnvironment())).data?.currency;
  return (
    <NumberField
      label={words.max_total}
      {...fieldsOf(props).number("max_total")}
      {...(isOptional ? { isOptional } : {})}
      {...(currency ? { suffix: currency } : {})}
      formatOptions={{ maximumFractionDigits: 2 }}
    />
  );
}

function ServiceAction({ action, onChange, path }: Props) {
  const words = useWords(ruleWords).fields;
  const [isCertain, setCertain] = useState(action["service"] !== undefined);
  const choose = (how: string) => {
    setCertain(how === "service");
    const { service: _service, strategy: _strategy, ...rest } = action;
    onChange(how === "service" ? rest : { ...rest, strategy: how });
  };
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label={words.how}
        name={isCertain ? `${path}.how` : `${path}.strategy`}
        choices={Object.entries(words.strategies).map(([id, label]) => ({ id, label }))}
        value={
          isCertain
            ? "service"
            : (fieldsOf({ action, onChange, path }).choice("strategy").value ?? "cheapest")
        }
        onChange={choose}
      />
      {isCertain && <ServiceField {...{ action, onChange, path }} />}
      <MaxTotal {...{ action, onChange, path }} isOptional />
    </div>
  );
}

function CarrierField(props: Props) {
  const words = useWords(ruleWords).fields;
  const { data: carriers = [] } = useQuery(carriersQuery(useEnvironment()));
  return (
    <Choose
      label={words.carrier}
      bind={fieldsOf(props).choice("carrier")}
      choices={Object.fromEntries(carriers.map(({ code, name }) => [code, name]))}
    />
  );
}

function ServiceField(props: Props) {
  const words = useWords(ruleWords).fields;
  const { data: carriers = [] } = useQuery(carriersQuery(useEnvironment()));
  const choices = carriers.flatMap((carrier) =>
    carrier.services.map(({ service, name }) => ({
      id: service,
      label: `${carrier.name} ${name}`,
    })),
  );
  const { name, value, onChange } = fieldsOf(props).choice("service");
  return (
    <ComboBox
      // The list of the catalogue comes after the first picture, and the field takes its text from it once.
      key={choices.length}
      label={words.service}
      name={name}
      formValue="key"
      choices={choices}
      value={value}
      onChange={onChange}
    />
  );
}

const sizeUnits = { cm: "cm", in: "in" };
const weightUnits = { kg: "kg", g: "g", lbs: "lbs", oz: "oz" };

function SizeFields(props: Props) {
  const words = useWords(ruleWords).fields;
  const bind = fieldsOf(props);
  const unit = (name: string, choices: Record<string, string>) => (
    <Choose label={words.unit} bind={bind.choice(name)} choices={choices} />
  );
  if (props.action.type === "add_weight")
    return (
      <div className="grid grid-cols-2 gap-3">
        <NumberField label={words.weight} {...bind.number("weight")} />
        {unit("weight_unit", weightUnits)}
      </div>
    );
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <NumberField label={words.length} {...bind.number("length")} />
      <NumberField label={words.width} {...bind.number("width")} />
      <NumberField label={words.height} {...bind.number("height")} />
      {unit("size_unit", sizeUnits)}
      <Choose
        label={words.package_type}
        bind={bind.choice("package_type")}
        choices={words.packageTypes}
        none={words.unchanged}
        className="col-span-2"
      />
    </div>
  );
}

function CustomsFields(props: Props) {
  const words = useWords(ruleWords).fields;
  const { locale } = useLocale();
  const countries = useMemo(() => countryChoices(regionOf(locale)), [locale]);
  const bind = fieldsOf(props);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label={words.hs_code}
        isOptional
        {...bind.text("hs_code")}
        onChange={(code) => bind.set("hs_code", code || undefined)}
      />
      <ComboBox
        label={words.country_of_origin}
        isOptional
        formValue="key"
        choices={countries}
        {...bind.choice("country_of_origin")}
      />
      <Choose
        label={words.incoterm}
        bind={bind.choice("incoterm")}
        choices={words.incoterms}
        none={words.unchanged}
      />
      <Choose
        label={words.contents_type}
        bind={bind.choice("contents_type")}
        choices={words.contentsTypes}
        none={words.unchanged}
      />
    </div>
  );
}
