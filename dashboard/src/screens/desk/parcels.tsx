import { useQuery } from "@tanstack/react-query";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { newParcel, type ParcelDraft } from "./draft.ts";
import { presetsQuery } from "./queries.ts";
import { parcelOf } from "./usual-parcel.ts";
import { deskWords } from "./words.ts";

interface Props {
  parcels: ParcelDraft[];
  onChange: (parcels: ParcelDraft[]) => void;
}

const weightUnits = ["kg", "lbs", "g", "oz"].map((id) => ({ id, label: id }));
const sizeUnits = ["cm", "in"].map((id) => ({ id, label: id }));

/** Weight, size and contents of each parcel. */
export function Parcels({ parcels, onChange }: Props) {
  const words = useWords(deskWords);
  const change = (index: number, changes: Partial<ParcelDraft>) =>
    onChange(parcels.map((parcel, at) => (at === index ? { ...parcel, ...changes } : parcel)));
  return (
    <div className="flex flex-col gap-5">
      {parcels.map((parcel, index) => (
        <fieldset key={parcel.id} className="min-w-0">
          {parcels.length > 1 && (
            <legend className="mb-2 flex w-full items-center justify-between text-sm font-semibold text-soft">
              {words.parcel(index + 1)}
              <Button
                variant="quiet"
                size="icon"
                icon="trash"
                aria-label={words.removeParcel(index + 1)}
                onPress={() => onChange(parcels.filter((_, at) => at !== index))}
              />
            </legend>
          )}
          <Parcel
            path={`packages.${index}`}
            parcel={parcel}
            onChange={(changes) => change(index, changes)}
          />
        </fieldset>
      ))}
      <div>
        <Button
          variant="quiet"
          size="sm"
          icon="plus"
          onPress={() => onChange([...parcels, newParcel()])}
        >
          {words.addParcel}
        </Button>
      </div>
    </div>
  );
}

function Parcel({
  path,
  parcel,
  onChange,
}: {
  path: string;
  parcel: ParcelDraft;
  onChange: (changes: Partial<ParcelDraft>) => void;
}) {
  const words = useWords(deskWords);
  const size = (name: "length" | "width" | "height") => ({
    label: words[name],
    name: `${path}.${name}`,
    value: parcel[name],
    onChange: (value: number) => onChange({ [name]: value }),
    minValue: 0,
  });
  return (
    <div className="grid grid-cols-6 gap-3">
      <Presets onChoose={onChange} />
      <NumberField
        label={words.weight}
        id={`${path}.weight`}
        name={`${path}.weight`}
        value={parcel.weight}
        onChange={(weight) => onChange({ weight })}
        minValue={0}
        formatOptions={{ maximumFractionDigits: 3 }}
        className="col-span-4 sm:col-span-2"
      />
      <Select
        label={words.weightUnit}
        choices={weightUnits}
        value={parcel.weight_unit}
        onChange={(id) => onChange({ weight_unit: id as ParcelDraft["weight_unit"] })}
        className="col-span-2 sm:col-span-1"
      />
      <NumberField {...size("length")} className="col-span-2 sm:col-span-1 sm:col-start-1" />
      <NumberField {...size("width")} className="col-span-2 sm:col-span-1" />
      <NumberField {...size("height")} className="col-span-2 sm:col-span-1" />
      <Select
        label={words.sizeUnit}
        choices={sizeUnits}
        value={parcel.size_unit}
        onChange={(id) => onChange({ size_unit: id as ParcelDraft["size_unit"] })}
        className="col-span-2 sm:col-span-1"
      />
      <NumberField
        label={words.declaredValue}
        isOptional
        name={`${path}.declared_value`}
        value={parcel.declared_value}
        onChange={(declared_value) => onChange({ declared_value })}
        minValue={0}
        className="col-span-4 sm:col-span-2"
      />
      <TextField
        label={words.contents}
        isOptional
        name={`${path}.package_contents`}
        value={parcel.package_contents}
        onChange={(package_contents) => onChange({ package_contents })}
        className="col-span-6"
      />
    </div>
  );
}

/** A box of the account's own; without any the place stays empty. */
function Presets({ onChoose }: { onChoose: (changes: Partial<ParcelDraft>) => void }) {
  const words = useWords(deskWords);
  const { data = [] } = useQuery(presetsQuery(useEnvironment()));
  if (data.length === 0) return null;
  const choose = (id: string) => {
    const preset = data.find((each) => each.id === id);
    if (preset) onChoose(parcelOf(preset));
  };
  return (
    <Select
      label={words.preset}
      placeholder={words.noPreset}
      choices={data.map(({ id, name }) => ({ id, label: name }))}
      onChange={choose}
      className="col-span-6 sm:col-span-3"
    />
  );
}
