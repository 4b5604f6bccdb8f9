import { useMemo } from "react";
import { Button } from "../../kit/button.tsx";
import { ComboBox } from "../../kit/combo-box.tsx";
import { countryChoices } from "../../kit/countries.ts";
import { NumberField } from "../../kit/number-field.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { newItem, type Draft, type ItemDraft } from "./draft.ts";
import { deskWords } from "./words.ts";

interface Props {
  draft: Draft;
  currency: string;
  onChange: (changes: Partial<Draft>) => void;
}

/** What customs ask of a parcel that crosses a border. */
export function Customs({ draft, currency, onChange }: Props) {
  const words = useWords(deskWords);
  const { locale } = useLocale();
  const countries = useMemo(() => countryChoices(regionOf(locale)), [locale]);
  const { items } = draft;
  const change = (index: number, changes: Partial<ItemDraft>) =>
    onChange({ items: items.map((item, at) => (at === index ? { ...item, ...changes } : item)) });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">{words.customsHint}</p>
      {items.map((item, index) => (
        <div
          key={item.id}
          role="group"
          aria-label={words.item(index + 1)}
          className="grid grid-cols-6 gap-3 sm:grid-cols-12"
        >
          <TextField
            label={words.itemTitle}
            name={`items.${index}.title`}
            value={item.title}
            onChange={(title) => change(index, { title })}
            className="col-span-6 sm:col-span-5"
          />
          <NumberField
            label={words.quantity}
            name={`items.${index}.quantity`}
            value={item.quantity}
            minValue={1}
            onChange={(quantity) => change(index, { quantity })}
            className="col-span-2 sm:col-span-2"
          />
          <NumberField
            label={words.value}
            name={`items.${index}.value`}
            value={item.value}
            minValue={0}
            suffix={currency}
            onChange={(value) => change(index, { value })}
            className="col-span-4 sm:col-span-5"
          />
          <ComboBox
            label={words.origin}
            name={`items.${index}.country_of_origin`}
            choices={countries}
            value={item.country_of_origin}
            onChange={(id) => change(index, { country_of_origin: id ?? "" })}
            className="col-span-3 sm:col-span-5"
          />
          <TextField
            label={words.hsCode}
            // Over a border each item needs one; that of a product's SKU is known to the API.
            isOptional={item.sku !== null}
            name={`items.${index}.hs_code`}
            value={item.hs_code}
            onChange={(hs_code) => change(index, { hs_code })}
            className="col-span-3 sm:col-span-6"
          />
          <div className="col-span-6 flex items-end justify-end sm:col-span-1">
            {items.length > 1 && (
              <Button
                variant="quiet"
                size="icon"
                icon="trash"
                aria-label={words.removeItem(index + 1)}
                onPress={() => onChange({ items: items.filter((_, at) => at !== index) })}
              />
            )}
          </div>
        </div>
      ))}
      <div>
        <Button
          variant="quiet"
          size="sm"
          icon="plus"
          onPress={() => onChange({ items: [...items, newItem()] })}
        >
          {words.addItem}
        </Button>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={words.contentsType}
          name="contents_type"
          choices={Object.entries(words.contentsTypes).map(([id, label]) => ({ id, label }))}
          value={draft.contents_type}
          onChange={(id) => onChange({ contents_type: id as Draft["contents_type"] })}
        />
        <Select
          label={words.incoterm}
          name="incoterm"
          choices={Object.entries(words.incoterms).map(([id, label]) => ({ id, label }))}
          value={draft.incoterm}
          onChange={(id) => onChange({ incoterm: id as Draft["incoterm"] })}
        />
      </div>
    </div>
  );
}
