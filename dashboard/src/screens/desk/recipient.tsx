import { useQuery } from "@tanstack/react-query";
import type { AddressValidation } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { AddressFields } from "../../kit/address-fields.tsx";
import { addressLine, fromDraft, toDraft, type AddressDraft } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Select } from "../../kit/select.tsx";
import { kitWords } from "../../kit/words.ts";
import { useWords } from "../../words/locale.tsx";
import { bookQuery, validationQuery } from "./queries.ts";
import { useSettled } from "./use-settled.ts";
import { deskWords } from "./words.ts";

interface Props {
  value: AddressDraft;
  onChange: (value: AddressDraft) => void;
}

/** Where it goes: from the book, pasted whole, or typed; checked while it is typed. */
export function Recipient({ value, onChange }: Props) {
  const words = useWords(deskWords);
  const [isPasted, setPasted] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-faint" aria-live="polite">
          {isPasted ? words.pasted : words.toHint}
        </p>
        <Book onChoose={onChange} />
      </div>
      <AddressFields
        path="to_address"
        value={value}
        onChange={onChange}
        onPasted={() => setPasted(true)}
      />
      <Check value={value} onChange={onChange} />
    </div>
  );
}

function Book({ onChoose }: { onChoose: (value: AddressDraft) => void }) {
  const words = useWords(deskWords);
  const { data = [] } = useQuery(bookQuery(useEnvironment(), ""));
  const others = data.filter((each) => each.uses.length === 0 || each.uses.includes("to"));
  if (others.length === 0) return null;
  return (
    <Select
      label={words.book}
      isLabelHidden
      placeholder={words.book}
      choices={others.map(({ id, label, address }) => ({
        id,
        label: label ?? address.name ?? address.address1,
        description: addressLine(address),
      }))}
      onChange={(id) => {
        const found = others.find((each) => each.id === id);
        if (found) onChoose(toDraft(found.address));
      }}
      className="w-52"
    />
  );
}

/** What is known of the address. A correction is offered, never made. */
function Check({ value, onChange }: Props) {
  const words = useWords(deskWords);
  const names: Record<string, string> = useWords(kitWords).address;
  const settled = useSettled(value, 400);
  const isComplete =
    settled.address1.trim() !== "" &&
    settled.city.trim() !== "" &&
    settled.postal_code.trim() !== "";
  const { data } = useQuery(validationQuery(useEnvironment(), fromDraft(settled), isComplete));
  if (!isComplete || !data || settled !== value) return null;
  if (data.status === "verified")
    return (
      <p className="flex items-center gap-1.5 text-sm text-good" role="status">
        <Icon name="check" /> {words.verified}
      </p>
    );
  const isBetter = data.is_valid && data.changes.length > 0;
  const { isRewritten, cut } = correctionsOf(data);
  return (
    <div role="status" className="flex items-start gap-2 rounded-lg bg-warn-wash px-3 py-2">
      <Icon name="alert" className="mt-0.5 size-4 text-warn" />
      <div className="min-w-0 grow">
        {isBetter && isRewritten && (
          <p>
            {words.corrected} <strong className="font-medium">{addressLine(data.address)}</strong>
          </p>
        )}
        {cut.map(({ field, to }) => (
          <p key={field}>{words.tooLong(names[field] ?? field, to ?? "")}</p>
        ))}
        {data.messages
          .filter(({ severity, code }) => severity !== "info" && code !== truncated)
          .map(({ code, field, text }) => (
            <p key={`${code} ${field}`} lang="en" className="text-soft">
              {text}
            </p>
          ))}
      </div>
      {isBetter && (
        // At the press a field drops its error, and the button moves away from under the pointer before its end.
        <Button size="sm" onPressStart={() => onChange(toDraft(data.address))}>
          {words.useCorrection}
        </Button>
      )}
    </div>
  );
}

const truncated = "field_truncated";

/** The texts that are too long, as they would fit, and whether others would be written better. */
function correctionsOf({ changes, messages }: AddressValidation) {
  const long = messages.filter(({ code }) => code === truncated).map(({ field }) => field);
  return {
    cut: changes.filter(({ field }) => long.includes(field)),
    isRewritten: changes.some(({ field }) => !long.includes(field)),
  };
}
