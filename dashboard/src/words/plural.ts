const rules = new Map<string, Intl.PluralRules>();

/** `plural("en", 2, { one: "parcel", other: "parcels" })`, by the language's own rule: French has "0 colis" in the singular. */
export function plural(locale: string, count: number, forms: { one: string; other: string }) {
  let rule = rules.get(locale);
  if (!rule) rules.set(locale, (rule = new Intl.PluralRules(locale)));
  return rule.select(count) === "one" ? forms.one : forms.other;
}
