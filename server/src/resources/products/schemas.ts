import { Type } from "typebox";
import { WeightUnit } from "../../domain/goods/parcel.ts";
import {
  Classification,
  ManufacturerAddressShown,
  originProperties,
  NewProduct,
  HsCodeSource,
} from "../../domain/products/product.ts";
import { ProductStatus } from "../../domain/products/product-states.ts";
import { Verification } from "../../domain/products/verification.ts";
import { Country, Maybe, Moment, Nullable } from "../../domain/values/schema.ts";

export const Product = Type.Object(
  {
    sku: Type.String(),
    title: Type.String(),
    description: Nullable(Type.String()),
    customs_description: Nullable(Type.String()),
    hs_code: Nullable(Type.String({ description: "6 to 10 digits." })),
    hs_code_source: Nullable(HsCodeSource),
    hs_confidence: Nullable(Type.Number({ description: "0 to 1, of a code that was classified." })),
    manufacturer: Nullable(Type.String()),
    manufacturer_address: ManufacturerAddressShown,
    country_of_origin: Nullable(Type.String()),
    value: Nullable(Type.Number()),
    currency: Nullable(Type.String()),
    weight: Nullable(Type.Number()),
    weight_unit: Nullable(WeightUnit),
    image_url: Nullable(Type.String()),
    store: Nullable(Type.String()),
    external_id: Nullable(
      Type.String({
        description: "The store's own id of the product, such as a handle at Shopify.",
      }),
    ),
    status: ProductStatus,
    status_reason: Nullable(Type.String()),
    cusma: Nullable(Verification),
    classification: Nullable(Classification),
    approved_at: Nullable(Moment()),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "Product" },
);

export const ManufacturerToVerify = Type.Object(
  {
    manufacturer: Maybe(Type.String({ maxLength: 100, description: "Required without `sku`." })),
    country_of_origin: Maybe(
      Type.String({ maxLength: 100, description: "Required without `sku`." }),
    ),
    manufacturer_address: originProperties.manufacturer_address,
    hs_code: NewProduct.properties.hs_code,
    sku: Maybe(
      Type.String({
        maxLength: 100,
        description: "The product that this is about: it takes over what is given, and moves.",
      }),
    ),
  },
  { $id: "ManufacturerToVerify" },
);

export const GoodsToClassify = Type.Object(
  {
    title: Maybe(
      Type.String({ maxLength: 1000, description: "What the goods are. Required without `sku`." }),
    ),
    description: Maybe(
      Type.String({ description: "Material, use, for whom; `Material: cotton` is understood." }),
    ),
    sku: Maybe(
      Type.String({
        maxLength: 100,
        description: "The product that this is about: it takes over the code, and moves.",
      }),
    ),
    country_of_origin: Maybe(Country()),
    destination_country: Maybe(
      Country({ description: "Where they go: some classifiers answer with its own digits." }),
    ),
  },
  { $id: "GoodsToClassify" },
);

export const Approval = Type.Object(
  {
    hs_code: NewProduct.properties.hs_code,
    notes: Maybe(Type.String({ maxLength: 1000, description: "For the audit log." })),
  },
  { $id: "Approval" },
);

export const Rejection = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: 500, description: "Kept as `status_reason`." }),
  },
  { $id: "Rejection" },
);
