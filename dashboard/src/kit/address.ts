/** An address as it is typed: every field is text. */
export interface AddressDraft {
  name: string;
  company: string;
  address1: string;
  address2: string;
  city: string;
  province_code: string;
  postal_code: string;
  country_code: string;
  phone: string;
  email: string;
  is_residential: boolean;
}

export const emptyAddress: AddressDraft = {
  name: "",
  company: "",
  address1: "",
  address2: "",
  city: "",
  province_code: "",
  postal_code: "",
  country_code: "CA",
  phone: "",
  email: "",
  is_residential: true,
};

/** An address as the API shows it, or a part of one. */
export type ShownAddress = Partial<Record<keyof AddressDraft, string | boolean | null>>;

/** An address of the API as one to be typed on. */
export function toDraft(address: ShownAddress): AddressDraft {
  const text = (name: keyof AddressDraft) => String(address[name] ?? "");
  return {
    name: text("name"),
    company: text("company"),
    address1: text("address1"),
    address2: text("address2"),
    city: text("city"),
    province_code: text("province_code"),
    postal_code: text("postal_code"),
    country_code: text("country_code") || "CA",
    phone: text("phone"),
    email: text("email"),
    is_residential: address.is_residential !== false,
  };
}

/** A typed address as the API takes it: what is empty is left out. */
export function fromDraft(draft: AddressDraft) {
  const { is_residential, address1, city, country_code, ...rest } = draft;
  const given = Object.entries(rest).filter(([, value]) => value.trim() !== "");
  return {
    ...(Object.fromEntries(given) as Partial<typeof rest>),
    address1,
    city,
    country_code,
    is_residential,
  };
}

/** "275 Rue Notre-Dame Est, Montréal QC H2Y 1C6": an address on one line, without names. */
export function addressLine(address: ShownAddress): string {
  // A postal code stays on one line.
  const code = String(address.postal_code ?? "").replaceAll(" ", "\u00a0");
  const place = [address.city, address.province_code, code].filter(Boolean).join(" ");
  return [address.address1, address.address2, place].filter(Boolean).join(", ");
}

/** "Montréal QC, CA": where an address is, for lists. */
export function placeOf({ city, province_code, country_code }: ShownAddress): string {
  return [[city, province_code].filter(Boolean).join(" "), country_code].filter(Boolean).join(", ");
}
