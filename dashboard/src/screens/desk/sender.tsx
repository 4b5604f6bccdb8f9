import { AddressFields } from "../../kit/address-fields.tsx";
import {
  addressLine,
  emptyAddress,
  type AddressDraft,
  type ShownAddress,
} from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import { useWords } from "../../words/locale.tsx";
import { deskWords } from "./words.ts";

interface Props {
  /** The account's default sender; null where it has none. */
  usual: ShownAddress | null;
  value: AddressDraft | null;
  onChange: (value: AddressDraft | null) => void;
}

/** Where it comes from: one line, unless it is somewhere else this time. */
export function Sender({ usual, value, onChange }: Props) {
  const words = useWords(deskWords);
  if (value)
    return (
      <div className="flex flex-col gap-3">
        <AddressFields path="from_address" value={value} onChange={onChange} />
        {usual && (
          <div>
            <Button variant="quiet" size="sm" icon="arrowLeft" onPress={() => onChange(null)}>
              {words.fromDefault}
            </Button>
          </div>
        )}
      </div>
    );
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="min-w-0">
        {usual ? (
          <>
            <span className="font-medium">{usual.company ?? usual.name}</span>
            <span className="text-soft"> · {addressLine(usual)}</span>
          </>
        ) : (
          <span className="text-soft">{words.fromUnset}</span>
        )}
      </p>
      <Button
        variant="quiet"
        size="sm"
        icon="pencil"
        onPress={() => onChange({ ...emptyAddress, is_residential: false })}
      >
        {words.fromOther}
      </Button>
    </div>
  );
}
