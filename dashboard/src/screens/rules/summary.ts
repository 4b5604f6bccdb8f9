import type { Criteria } from "@waybill/sdk";
import type criteriaEn from "../../criteria/words.en.ts";
import { carrierName } from "../../kit/carrier-name.ts";
import type { ActionDraft } from "./draft.ts";
import type en from "./words.en.ts";

type Entry = Criteria["conditions"][number];

/** "Country is US and (Tags contains heavy or …)": conditions on one line. */
export function criteriaText(
  { match, conditions }: Criteria,
  words: typeof en,
  names: typeof criteriaEn,
): string {
  const textOf = (entry: Entry): string => {
    if ("conditions" in entry) return `(${criteriaText(entry, words, names)})`;
    const { field, operator, value } = entry;
    const compared = valueText(value, names);
    return [names.fields[field], names.operators[operator], compared].filter(Boolean).join(" ");
  };
  return conditions.map(textOf).join(match === "all" ? words.and : words.or);
}

function valueText(value: unknown, names: typeof criteriaEn): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? names.yes : names.no;
  if (Array.isArray(value)) return value.map((each) => valueText(each, names)).join(", ");
  return shownValue(value);
}

/** "Add a tag: heavy": an action on one line. */
export function actionText(action: ActionDraft, words: typeof en): string {
  const { type, ...given } = action;
  const facts = Object.entries(given)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => fieldText(name, value, words));
  return facts.length === 0 ? words.types[type] : `${words.types[type]}: ${facts.join(", ")}`;
}

function fieldText(name: string, value: unknown, { fields }: typeof en): string {
  const text = String(value);
  if (name === "strategy") return (fields.strategies as Record<string, string>)[text] ?? text;
  if (name === "add_on") return (fields.addOns as Record<string, string>)[text] ?? text;
  if (name === "carrier") return carrierName(text);
  if (name === "max_total") return `${fields.max_total} ${text}`;
  return shownValue(value);
}

/** Any value of the API as one line of text. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(shownValue).join(", ");
  if (typeof value !== "object") return `${value as string | number | boolean}`;
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== "");
  if ("value" in value && "unit" in value) return `${String(value.value)} ${String(value.unit)}`;
  return entries.map(([key, each]) => `${key} ${shownValue(each)}`).join(", ");
}
