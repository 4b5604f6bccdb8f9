import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

/** What the dialect demands of a request: our part of USPS's form, as its documents describe it. */

const Name = Type.String({ minLength: 1, maxLength: 50 });
const Zip = Type.String({ pattern: "^\\d{5}$" });
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const Positive = Type.Number({ exclusiveMinimum: 0 });

const street = {
  streetAddress: Name,
  secondaryAddress: Type.Optional(Type.String({ maxLength: 50 })),
  city: Type.String({ minLength: 1, maxLength: 28 }),
};
const person = {
  firstName: Type.Optional(Name),
  lastName: Type.Optional(Name),
  firm: Type.Optional(Type.String({ maxLength: 50 })),
  phone: Type.Optional(Type.String({ pattern: "^\\d{6,15}$" })),
};
const Domestic = Type.Object({
  ...person,
  ...street,
  state: Type.String({ pattern: "^[A-Z]{2}$" }),
  ZIPCode: Zip,
  ZIPPlus4: Type.Optional(Type.String({ pattern: "^\\d{4}$" })),
});
const Foreign = Type.Object({
  ...person,
  ...street,
  postalCode: Type.Optional(Type.String({ maxLength: 11 })),
  province: Type.Optional(Type.String({ maxLength: 40 })),
  countryISOAlpha2Code: Type.String({ pattern: "^[A-Z]{2}$" }),
});
export type WireDomestic = Static<typeof Domestic>;
export type WireForeign = Static<typeof Foreign>;

const measures = { weight: Positive, length: Positive, width: Positive, height: Positive };

export const OptionsRequest = Type.Object({
  pricingOptions: Type.Array(Type.Object({ priceType: Type.String() }), { minItems: 1 }),
  originZIPCode: Zip,
  destinationZIPCode: Type.Optional(Zip),
  destinationCountryCode: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$" })),
  foreignPostalCode: Type.Optional(Type.String({ maxLength: 11 })),
  packageDescription: Type.Object({
    ...measures,
    mailClass: Type.String({ pattern: "^ALL(_OUTBOUND|_RETURNS)?$" }),
    extraServices: Type.Optional(Type.Array(Type.Integer(), { maxItems: 5 })),
    packageValue: Type.Optional(Positive),
    mailingDate: Day,
  }),
});
export type WireOptions = Static<typeof OptionsRequest>;

export const LabelRequest = Type.Object({
  imageInfo: Type.Object({
    imageType: Type.String({ pattern: "^(PDF|PNG|ZPL203DPI)$" }),
    labelType: Type.Literal("4X6LABEL"),
  }),
  toAddress: Type.Union([Domestic, Foreign]),
  fromAddress: Domestic,
  returnAddress: Type.Optional(Domestic),
  packageDescription: Type.Object({
    ...measures,
    mailClass: Type.String({ minLength: 1 }),
    rateIndicator: Type.String({ pattern: "^[A-Z0-9]{2}$" }),
    weightUOM: Type.Literal("lb"),
    dimensionsUOM: Type.Literal("in"),
    processingCategory: Type.String({ pattern: "^(MACHINABLE|NONSTANDARD)$" }),
    mailingDate: Type.Optional(Day),
    extraServices: Type.Array(Type.Integer()),
    packageOptions: Type.Optional(Type.Object({ packageValue: Positive })),
    customerReference: Type.Optional(
      Type.Array(Type.Object({ referenceNumber: Type.String({ minLength: 1, maxLength: 30 }) })),
    ),
  }),
  customsForm: Type.Optional(
    Type.Object({
      customsContentType: Type.String({ minLength: 1 }),
      contents: Type.Array(
        Type.Object({
          itemDescription: Type.String({ minLength: 1, maxLength: 30 }),
          itemQuantity: Type.Integer({ minimum: 1 }),
          itemValue: Type.Number({ minimum: 0 }),
          itemWeight: Positive,
        }),
        { minItems: 1 },
      ),
    }),
  ),
});
export type WireLabel = Static<typeof LabelRequest>;

export const PickupRequest = Type.Object({
  pickupDate: Day,
  pickupAddress: Type.Object({
    firstName: Name,
    lastName: Name,
    firm: Type.Optional(Type.String({ maxLength: 50 })),
    address: Type.Object({ ...street, state: Type.String(), ZIPCode: Zip }),
  }),
  packages: Type.Array(
    Type.Object({ packageType: Type.String(), packageCount: Type.Integer({ minimum: 1 }) }),
    { minItems: 1 },
  ),
  estimatedWeight: Positive,
  pickupLocation: Type.Object({ packageLocation: Type.String() }),
});
export type WirePickup = Static<typeof PickupRequest>;

export const ScanFormRequest = Type.Object({
  form: Type.Literal("5630"),
  mailingDate: Day,
  entryFacilityZIPCode: Zip,
  destinationEntryFacilityType: Type.String(),
  shipment: Type.Object({ trackingNumbers: Type.Array(Type.String(), { minItems: 1 }) }),
  fromAddress: Type.Object({ ...street, state: Type.String(), ZIPCode: Zip }),
});

export const shapes = {
  options: Compile(OptionsRequest),
  label: Compile(LabelRequest),
  pickup: Compile(PickupRequest),
  scanForm: Compile(ScanFormRequest),
};
