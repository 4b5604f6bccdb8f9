import type { ShownAddress } from "../../kit/address.ts";
import { Card } from "../../kit/card.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { Customs } from "./customs.tsx";
import { crossesBorder, type Draft } from "./draft.ts";
import { Parcels } from "./parcels.tsx";
import { Recipient } from "./recipient.tsx";
import { Sender } from "./sender.tsx";
import { deskWords } from "./words.ts";

interface Props {
  draft: Draft;
  /** The country that the account ships from. */
  home: string;
  currency: string;
  usual: ShownAddress | null;
  onChange: (changes: Partial<Draft>) => void;
}

/** What is typed on the desk; customs only over a border. */
export function Fields({ draft, home, currency, usual, onChange }: Props) {
  const words = useWords(deskWords);
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Card title={words.to}>
        <Recipient value={draft.to} onChange={(to) => onChange({ to })} />
      </Card>
      <Card title={words.parcels}>
        <Parcels parcels={draft.parcels} onChange={(parcels) => onChange({ parcels })} />
      </Card>
      {crossesBorder(draft, home) && (
        <Card title={words.customs}>
          <Customs draft={draft} currency={currency} onChange={onChange} />
        </Card>
      )}
      <Card title={words.from}>
        <Sender usual={usual} value={draft.from} onChange={(from) => onChange({ from })} />
      </Card>
      <Card title={words.options}>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={words.reference}
            isOptional
            name="reference"
            value={draft.reference}
            onChange={(reference) => onChange({ reference })}
          />
          <Select
            label={words.labelSize}
            name="label_size"
            choices={Object.entries(words.labelSizes).map(([id, label]) => ({ id, label }))}
            value={draft.label_size}
            onChange={(id) => onChange({ label_size: id as Draft["label_size"] })}
          />
        </div>
      </Card>
    </div>
  );
}
