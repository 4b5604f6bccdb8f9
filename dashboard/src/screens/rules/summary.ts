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

/** A value of a condition in the language's words. */
export function valueText(value: unknown, names: typeof criteriaEn): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? names.yes : names.no;
  if (Array.isArray(value)) return value.map((each) => valueText(each, names)).join(", ");
  return shownValue(value);
}

/** "Add a tag: heavy": an action on one line. */
export function actionText(action: ActionDraft, words: typeof en): string {
  const facts = factsOf(action, words).filter(Boolean).join(", ");
  const name = words.types[action.type];
  return facts ? words.withFacts(name, facts) : name;
}

function factsOf({ type, ...given }: ActionDraft, words: typeof en): string[] {
  const text = (name: string) => (given[name] === undefined ? "" : shownValue(given[name]));
  const named = (name: string, names: Record<string, string>) => names[text(name)] ?? text(name);
  const { fields } = words;
  if (type === "set_package") {
    const sides = ["length", "width", "height"].map(text).filter(Boolean).join(" × ");
    return [sides && `${sides} ${text("size_unit")}`, named("package_type", fields.packageTypes)];
  }
  if (type === "add_weight") return [`${text("weight")} ${text("weight_unit")}`.trim()];
  if (type === "exclude_carrier") return [given["carrier"] ? carrierName(text("carrier")) : ""];
  const cap = given["max_total"] === undefined ? "" : words.atMost(text("max_total"));
  if (type === "set_service") return [named("strategy", fields.strategies), text("service"), cap];
  if (type === "buy_label") return [cap];
  if (type === "add_add_on") return [named("add_on", fields.addOns)];
  return Object.keys(given).map(text);
}

/** A field's value before or after a rule, in words; "" where there is none. */
export function changedText(field: string, value: unknown, words: typeof en): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (field === "exclusions" && Array.isArray(value))
    return value
      .map((each: { kind: string; code: string }) =>
        each.kind === "carrier" ? carrierName(each.code) : each.code,
      )
      .join(", ");
  if ((field === "price_cap" || field === "purchase") && typeof value === "object" && value) {
    const cap = value as { max_total?: number; max_total_cents?: number };
    const amount = cap.max_total ?? (cap.max_total_cents ?? 0) / 100;
    return words.atMost(amount.toFixed(2));
  }
  const text = shownValue(value);
  return text === "–" ? "" : text;
}

/** Any value of the API as one line of text. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(shownValue).join(", ");
  if (typeof value !== "object") return `${value as string | number | boolean}`;
  if ("value" in value && "unit" in value) return [value.value, value.unit].join(" ");
  return Object.entries(value)
    .filter(([, each]) => each !== null && each !== "")
    .map(([key, each]) => `${key} ${shownValue(each)}`)
    .join(", ");
}
