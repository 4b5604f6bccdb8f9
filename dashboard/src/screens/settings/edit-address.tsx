import type { BookAddress } from "@waybill/sdk";
import { useMemo } from "react";
import { useEnvironment } from "../../environment.ts";
import { AddressFields } from "../../kit/address-fields.tsx";
import { emptyAddress, fromDraft, toDraft, type AddressDraft } from "../../kit/address.ts";
import { Checkbox } from "../../kit/checkbox.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { settingWords } from "./words.ts";

type Use = BookAddress["uses"][number];

interface Props {
  /** Null for a new one. */
  address: BookAddress | null;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

interface Typed {
  label: string;
  address: AddressDraft;
  uses: Use[];
  is_default: boolean;
}

/** An address of the book: its name there, where it is, and what it is offered for. */
export default function EditAddress({ address, onSaved, onClose }: Props) {
  const words = useWords(settingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const start = useMemo(() => firstTyped(address), [address]);
  return (
    <EditDialog<Typed>
      form={`address.${environment}.${address?.id ?? "new"}`}
      start={start}
      title={address ? words.changeAddress(address.label) : words.newAddress}
      size="lg"
      onSend={(typed, options) => {
        const { is_default, ...facts } = typed;
        // Off as it was, it must not end what the address is the default of only some of its uses for.
        const wish = is_default || start.is_default ? { is_default } : {};
        const body = { ...facts, ...wish, address: fromDraft(typed.address) };
        return address
          ? waybill.addresses.update(address.id, body, options)
          : waybill.addresses.create(body, options);
      }}
      onSaved={onSaved}
      onClose={onClose}
    >
      {(typed, change) => (
        <>
          <TextField
            label={words.addressLabel}
            name="label"
            autoFocus
            value={typed.label}
            onChange={(label) => change({ label })}
          />
          <AddressFields
            path="address"
            value={typed.address}
            onChange={(changed) => change({ address: changed })}
          />
          <Uses typed={typed} onChange={change} />
        </>
      )}
    </EditDialog>
  );
}

function Uses({ typed, onChange }: { typed: Typed; onChange: (changes: Partial<Typed>) => void }) {
  const words = useWords(settingWords);
  const { uses, is_default } = typed;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{words.addressUses}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {(["from", "to", "return"] as const).map((use) => (
          <Checkbox
            key={use}
            isSelected={uses.includes(use)}
            onChange={(isOn) =>
              onChange({ uses: isOn ? [...uses, use] : uses.filter((each) => each !== use) })
            }
          >
            {words.uses[use]}
          </Checkbox>
        ))}
      </div>
      <Checkbox
        className="mt-1"
        isSelected={is_default}
        onChange={(isOn) => onChange({ is_default: isOn })}
        description={words.isDefaultNote}
      >
        {words.isDefault}
      </Checkbox>
    </fieldset>
  );
}

function firstTyped(address: BookAddress | null): Typed {
  if (!address)
    return {
      label: "",
      address: { ...emptyAddress, is_residential: false },
      uses: ["to"],
      is_default: false,
    };
  const { label, uses, default_for } = address;
  const is_default = uses.every((use) => default_for.includes(use));
  return { label, address: toDraft(address.address), uses, is_default };
}
