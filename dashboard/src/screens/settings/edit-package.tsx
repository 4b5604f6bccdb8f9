import type { PackagePreset } from "@waybill/sdk";
import { useMemo } from "react";
import { useEnvironment } from "../../environment.ts";
import { NumberField } from "../../kit/number-field.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { settingWords } from "./words.ts";

interface Props {
  /** Null for a new one. */
  preset: PackagePreset | null;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

type Typed = Pick<
  PackagePreset,
  "name" | "length" | "width" | "height" | "size_unit" | "weight" | "weight_unit" | "package_type"
>;

const untyped: Typed = {
  name: "",
  length: null,
  width: null,
  height: null,
  size_unit: "cm",
  weight: null,
  weight_unit: "kg",
  package_type: "parcel",
};

/** A size that is used again and again. */
export default function EditPackage({ preset, onSaved, onClose }: Props) {
  const words = useWords(settingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const start = useMemo(() => firstTyped(preset), [preset]);
  return (
    <EditDialog<Typed>
      form={`package.${environment}.${preset?.id ?? "new"}`}
      start={start}
      title={preset ? words.changeAddress(preset.name) : words.newPackage}
      onSend={(typed, options) =>
        preset
          ? waybill.packagePresets.update(preset.id, typed, options)
          : waybill.packagePresets.create(typed, options)
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      {(typed, change) => (
        <>
          <TextField
            label={words.packageName}
            name="name"
            autoFocus
            value={typed.name}
            onChange={(name) => change({ name })}
          />
          <Size typed={typed} onChange={change} />
        </>
      )}
    </EditDialog>
  );
}

function Size({ typed, onChange }: { typed: Typed; onChange: (changes: Partial<Typed>) => void }) {
  const words = useWords(settingWords);
  const number = (name: "length" | "width" | "height" | "weight") => ({
    label: words[name],
    name,
    minValue: 0,
    value: typed[name] ?? NaN,
    onChange: (value: number) => onChange({ [name]: Number.isNaN(value) ? null : value }),
  });
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <NumberField {...number("length")} />
      <NumberField {...number("width")} />
      <NumberField {...number("height")} />
      <Select
        label={words.sizeUnit}
        choices={["cm", "in"].map((id) => ({ id, label: id }))}
        value={typed.size_unit}
        onChange={(id) => onChange({ size_unit: id as Typed["size_unit"] })}
      />
      <NumberField {...number("weight")} isOptional />
      <Select
        label={words.weightUnit}
        choices={["kg", "g", "lbs", "oz"].map((id) => ({ id, label: id }))}
        value={typed.weight_unit}
        onChange={(id) => onChange({ weight_unit: id as Typed["weight_unit"] })}
      />
      <p className="col-span-2 -mt-1.5 text-sm text-faint sm:mt-6">{words.weightNote}</p>
      <Select
        label={words.packageType}
        choices={Object.entries(words.packageTypes).map(([id, label]) => ({ id, label }))}
        value={typed.package_type}
        onChange={(id) => onChange({ package_type: id as Typed["package_type"] })}
        className="col-span-2"
      />
    </div>
  );
}

/** The preset's own fields; units where it has none. */
function firstTyped(preset: PackagePreset | null): Typed {
  if (!preset) return untyped;
  const { name, length, width, height, weight, package_type } = preset;
  const size_unit = preset.size_unit ?? "cm";
  const weight_unit = preset.weight_unit ?? "kg";
  return { name, length, width, height, size_unit, weight, weight_unit, package_type };
}
