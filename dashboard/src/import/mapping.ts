/** What a column of a file can be: the fields of a shipment to one address with one parcel and one kind of goods. */
export const importFields = [
  "name",
  "company",
  "address1",
  "address2",
  "city",
  "province_code",
  "postal_code",
  "country_code",
  "phone",
  "email",
  "weight",
  "length",
  "width",
  "height",
  "reference",
  "service",
  "item_title",
  "item_quantity",
  "item_value",
  "item_sku",
  "item_hs_code",
  "item_country_of_origin",
] as const;

export type ImportField = (typeof importFields)[number];

/** What each column is, in the file's order; null for one that is left out. */
export type Mapping = (ImportField | null)[];

export interface Units {
  weight: "kg" | "lbs" | "g" | "oz";
  size: "cm" | "in";
}

/** Without these no shipment can be made; the country is Canada where no column has it. */
export const neededFields: readonly ImportField[] = ["address1", "city", "weight"];

/** Headings as they are written in English and French, without accents; the surest first. */
const headings: Record<ImportField, string[]> = {
  name: [
    "name",
    "full name",
    "recipient",
    "contact",
    "customer",
    "nom",
    "nom complet",
    "destinataire",
  ],
  company: [
    "company",
    "company name",
    "business",
    "organization",
    "entreprise",
    "societe",
    "compagnie",
  ],
  address1: [
    "address1",
    "address 1",
    "address line 1",
    "street",
    "address",
    "adresse",
    "adresse 1",
    "rue",
  ],
  address2: [
    "address2",
    "address 2",
    "address line 2",
    "suite",
    "unit",
    "apt",
    "adresse 2",
    "appartement",
  ],
  city: ["city", "town", "ville", "municipality", "municipalite"],
  province_code: ["province", "province code", "state", "state code", "region", "prov", "etat"],
  postal_code: ["postal code", "postal", "zip", "zip code", "postcode", "code postal", "cp"],
  country_code: ["country", "country code", "pays", "code pays", "code du pays"],
  phone: ["phone", "phone number", "telephone", "tel", "mobile"],
  email: ["email", "e mail", "mail", "courriel"],
  weight: ["weight", "poids", "package weight", "parcel weight", "total weight"],
  length: ["length", "longueur"],
  width: ["width", "largeur"],
  height: ["height", "hauteur"],
  reference: [
    "reference",
    "ref",
    "order number",
    "order",
    "order id",
    "order no",
    "commande",
    "numero de commande",
    "no commande",
  ],
  service: ["service", "shipping method", "shipping service", "mode de livraison"],
  item_title: [
    "contents",
    "content",
    "lineitem name",
    "item",
    "item name",
    "product",
    "description",
    "contenu",
    "produit",
    "article",
  ],
  item_quantity: ["quantity", "qty", "lineitem quantity", "quantite", "qte"],
  item_value: [
    "value",
    "price",
    "unit price",
    "unit value",
    "lineitem price",
    "valeur",
    "prix",
    "declared value",
  ],
  item_sku: ["sku", "lineitem sku", "ugs", "product code"],
  item_hs_code: ["hs code", "hs", "hts", "tariff code", "code sh"],
  item_country_of_origin: ["country of origin", "origin", "made in", "pays d origine", "origine"],
};

const prefix = /^(shipping|ship to|recipient|delivery|to|livraison|destinataire) (?=\S)/;
const unit = / (kgs?|lbs?|g|oz|cm|in|mm|grams?|pounds?|ounces?)$/;

/** What each heading most probably is. A field is given once; the address of who pays is never taken. */
export function guessMapping(headers: readonly string[]): Mapping {
  const plain = headers.map(plainHeading);
  const mapping: Mapping = headers.map(() => null);
  const taken = new Set<ImportField>();
  // First what is written in full, then with the part that says whose address it is taken off, which beats a bare one.
  for (const readings of [withPrefix(plain), plain, plain.map(withoutUnit)])
    for (const field of importFields) {
      if (taken.has(field)) continue;
      const column = columnOf(headings[field], readings, mapping);
      if (column === -1) continue;
      mapping[column] = field;
      taken.add(field);
    }
  return mapping;
}

/** The units that headings name ("Weight (lb)", "Longueur_cm"); kilograms and centimetres without. */
export function guessUnits(headers: readonly string[]): Units {
  const plain = headers.map(plainHeading).join(" ; ");
  const weight = /(?:weight|poids) (kg|lb|g|oz|gram|pound|ounce)/.exec(plain)?.[1] ?? "kg";
  const size = /(?:length|longueur|width|largeur|height|hauteur) (cm|in)\b/.exec(plain)?.[1];
  const names: Record<string, Units["weight"]> = {
    kg: "kg",
    lb: "lbs",
    pound: "lbs",
    g: "g",
    gram: "g",
    oz: "oz",
    ounce: "oz",
  };
  return { weight: names[weight] ?? "kg", size: size === "in" ? "in" : "cm" };
}

/** The fields that are needed and that no column has. */
export function missingFields(mapping: Mapping): ImportField[] {
  return neededFields.filter((field) => !mapping.includes(field));
}

/** A mapping in which a column is now something else, which no other column is any longer. */
export function remapped(mapping: Mapping, column: number, field: ImportField | null): Mapping {
  return mapping.map((each, index) => {
    if (index === column) return field;
    return each === field ? null : each;
  });
}

function plainHeading(heading: string): string {
  return heading
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

const withoutUnit = (heading: string) => heading.replace(unit, "");
const withPrefix = (plain: string[]) =>
  plain.map((heading) => (prefix.test(heading) ? withoutUnit(heading.replace(prefix, "")) : ""));

function columnOf(names: readonly string[], readings: readonly string[], mapping: Mapping): number {
  for (const name of names) {
    const column = readings.findIndex((each, index) => each === name && mapping[index] === null);
    if (column !== -1) return column;
  }
  return -1;
}
