import type { Address } from "../domain/addresses/address.ts";

/** `Toronto, ON M5J 2J1, CA`. */
export function cityLine({ city, province_code, postal_code, country_code }: Address): string {
  const code = [province_code, postal_code].filter(Boolean).join(" ");
  return [city, code, country_code].filter(Boolean).join(", ");
}

/** Company and person, where they are two; then the street. */
export function addressLines(address: Address): string[] {
  const { name, company, address1, address2 } = address;
  const named = company === name ? [name] : [company, name];
  return [...named, address1, address2, cityLine(address)].filter((line): line is string =>
    Boolean(line),
  );
}

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** `Canada (CA)`, as a customs officer abroad reads it. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const name = countries.of(code);
  return name && name !== code ? `${name} (${code})` : code;
}
