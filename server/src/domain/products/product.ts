import { Type, type Static } from "typebox";
import type { Verification } from "./verification.ts";
import type { ManufacturerAddress } from "./mid-code.ts";
import type { ProductStatus } from "./product-states.ts";
import { WeightUnit } from "../goods/parcel.ts";
import { Country, Currency, Maybe, Money, Nullable, OneOf } from "../values/schema.ts";

/** A product of a store and its customs data (spec 2.10, decision 13). */

const addressPart = (maxLength: number) => Maybe(Type.String({ maxLength }));

/** The manufacturer's address; a text is read as `street, city, province, country`. */
const ManufacturerAddressInput = Type.Unsafe<Partial<ManufacturerAddress> | string | null>({
  $id: "NewManufacturerAddress",
  ...Type.Object(
    {
      address1: addressPart(200),
      address2: addressPart(200),
      city: addressPart(100),
      province_code: addressPart(10),
      postal_code: addressPart(20),
      country_code: Maybe(Country()),
    },
    { maxLength: 500 },
  ),
  type: ["object", "string", "null"],
  description: "Where the manufacturer is; a text is read as street, city, province, country.",
});

/** The properties by which manufacturers are verified, as clients send them. */
export const originProperties = {
  manufacturer: Maybe(Type.String({ maxLength: 100 })),
  manufacturer_address: Type.Optional(ManufacturerAddressInput),
};

const optionalFields = {
  description: Maybe(Type.String({ maxLength: 20_000 })),
  customs_description: Maybe(Type.String({ maxLength: 200 })),
  hs_code: Maybe(
    Type.String({
      maxLength: 20,
      description: "6 to 10 digits; dots and spaces are taken out.",
      examples: ["6109.10"],
    }),
  ),
  ...originProperties,
  country_of_origin: Maybe(Country()),
  value: Maybe(Money({ minimum: 0, maximum: 1_000_000 })),
  currency: Maybe(Currency()),
  weight: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
  weight_unit: Maybe(WeightUnit),
  image_url: Maybe(Type.String({ maxLength: 2000, description: "An https or http URL." })),
  store: Maybe(Type.String({ maxLength: 100 })),
  external_id: Maybe(Type.String({ maxLength: 100 })),
};

const title = Type.String({ minLength: 1, maxLength: 300, examples: ["Cotton T-shirt"] });

export const NewProduct = Type.Object(
  {
    sku: Type.String({ minLength: 1, maxLength: 100, examples: ["TEE-BLUE-M"] }),
    title,
    ...optionalFields,
  },
  { $id: "NewProduct" },
);

/** Any of a product's fields: absent ones stay unchanged. */
export const ProductChanges = Type.Object(
  { sku: Type.Optional(Type.String()), title: Type.Optional(title), ...optionalFields },
  { $id: "ProductChanges" },
);

/** A source's data of a row that may be known already: the title can be left out. */
export const ImportedProduct = Type.Object(
  {
    sku: NewProduct.properties.sku,
    title: Type.Optional(title),
    ...optionalFields,
  },
  { $id: "ImportedProduct" },
);

/** A product's data from clients and sources, cleaned. */
export interface ProductFields {
  title: string;
  description: string | null;
  customs_description: string | null;
  hs_code: string | null;
  manufacturer: string | null;
  manufacturer_address: ManufacturerAddress | null;
  country_of_origin: string | null;
  value_cents: number | null;
  currency: string | null;
  weight: number | null;
  weight_unit: WeightUnit | null;
  image_url: string | null;
  store: string | null;
  external_id: string | null;
}

/** The result of a classification, as `POST /products/classify` returns it. */
export const Classification = Type.Object(
  {
    hs_code: Nullable(
      Type.String({ description: "6 to 10 digits; null when nothing says what the goods are." }),
    ),
    description: Nullable(Type.String({ description: "What belongs under the code." })),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "How probable it is that the code is right.",
    }),
    alternatives: Type.Array(
      Type.Object(
        {
          hs_code: Type.String(),
          description: Type.String(),
          confidence: Type.Number(),
        },
        { $id: "ClassificationAlternative" },
      ),
    ),
    provider: Type.String(),
    classification_id: Type.String(),
  },
  { $id: "Classification" },
);
export type Classification = Static<typeof Classification>;

export const hsCodeSources = ["import", "classified", "manual"] as const;
export type HsCodeSource = (typeof hsCodeSources)[number];
export const HsCodeSource = OneOf(hsCodeSources, { $id: "HsCodeSource" });

export interface Product extends ProductFields {
  sku: string;
  hs_code_source: HsCodeSource | null;
  hs_confidence: number | null;
  status: ProductStatus;
  status_reason: string | null;
  cusma: Verification | null;
  classification: Classification | null;
  approved_at: Date | null;
}

/** The manufacturer's address as it is shown. */
export const ManufacturerAddressShown = Nullable(
  Type.Object(
    {
      address1: Nullable(Type.String()),
      address2: Nullable(Type.String()),
      city: Nullable(Type.String()),
      province_code: Nullable(Type.String()),
      postal_code: Nullable(Type.String()),
      country_code: Nullable(Type.String()),
    },
    { $id: "MakerAddress" },
  ),
);
