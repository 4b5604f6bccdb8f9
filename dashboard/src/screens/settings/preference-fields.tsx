import { useInfiniteQuery } from "@tanstack/react-query";
import type { OwnAccount } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { Card } from "../../kit/card.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Select } from "../../kit/select.tsx";
import { useWords } from "../../words/locale.tsx";
import { packagesQuery } from "./queries.ts";
import { settingWords } from "./words.ts";

type Preferences = OwnAccount["preferences"];
type AddOn = Preferences["add_ons"][number];

interface Props {
  preferences: Preferences;
  onChange: (changes: Partial<Preferences>) => void;
  isReadOnly: boolean;
}

/** What a shipment takes over where it leaves a field out. */
export function PreferenceFields({ preferences, onChange, isReadOnly }: Props) {
  const words = useWords(settingWords);
  const select = (
    name: "label_format" | "label_size" | "contents_type" | "incoterm",
    labels: Record<string, string>,
  ) => ({
    name: `preferences.${name}`,
    isDisabled: isReadOnly,
    choices: Object.entries(labels).map(([id, label]) => ({ id, label })),
    value: preferences[name] ?? "none",
    onChange: (id: string) => onChange({ [name]: id === "none" ? null : id }),
  });
  return (
    <>
      <Card title={words.labels}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select label={words.labelFormat} {...select("label_format", words.labelFormats)} />
          <Select label={words.labelSize} {...select("label_size", words.labelSizes)} />
          <UsualPackage preferences={preferences} onChange={onChange} isReadOnly={isReadOnly} />
        </div>
        <AddOns preferences={preferences} onChange={onChange} isReadOnly={isReadOnly} />
      </Card>
      <Card title={words.customs}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select label={words.contentsType} {...select("contents_type", words.contentsTypes)} />
          <Select label={words.incoterm} {...select("incoterm", words.incoterms)} />
        </div>
      </Card>
    </>
  );
}

/** With what the shipping desk begins; without any preset there is nothing to choose. */
function UsualPackage({ preferences: { package_preset_id }, onChange, isReadOnly }: Props) {
  const words = useWords(settingWords);
  const { data } = useInfiniteQuery(packagesQuery(useEnvironment()));
  const presets = data?.pages.flatMap((page) => page.data) ?? [];
  if (presets.length === 0) return null;
  return (
    <Select
      label={words.usualPackage}
      name="preferences.package_preset_id"
      isDisabled={isReadOnly}
      choices={[
        { id: "none", label: words.noUsualPackage },
        ...presets.map(({ id, name }) => ({ id, label: name })),
      ]}
      value={package_preset_id ?? "none"}
      onChange={(id) => onChange({ package_preset_id: id === "none" ? null : id })}
    />
  );
}

function AddOns({ preferences: { add_ons }, onChange, isReadOnly }: Props) {
  const words = useWords(settingWords);
  const codes = Object.keys(words.addOnNames) as AddOn[];
  return (
    <fieldset className="mt-4 flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{words.addOns}</legend>
      {codes.map((code) => (
        <Checkbox
          key={code}
          isDisabled={isReadOnly}
          isSelected={add_ons.includes(code)}
          onChange={(isOn) =>
            onChange({
              add_ons: isOn ? [...add_ons, code] : add_ons.filter((each) => each !== code),
            })
          }
        >
          {words.addOnNames[code]}
        </Checkbox>
      ))}
      <p className="text-sm text-faint">{words.addOnsNote}</p>
    </fieldset>
  );
}
