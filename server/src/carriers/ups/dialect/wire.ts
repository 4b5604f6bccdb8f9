import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

/**
 * What the dialect demands of a request: our part of UPS's form, as its documents and recorded refusals describe
 * it. A client may send more.
 */

const Code = Type.Object({ Code: Type.String({ minLength: 1 }) });
const Line = Type.String({ minLength: 1, maxLength: 35 });
const Amount = Type.String({ pattern: "^\\d{1,9}(\\.\\d{1,2})?$" });
const Day = Type.String({ pattern: "^\\d{8}$" });

const Address = Type.Object({
  AddressLine: Type.Array(Line, { minItems: 1, maxItems: 3 }),
  City: Type.String({ minLength: 1, maxLength: 30 }),
  StateProvinceCode: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
  PostalCode: Type.Optional(Type.String({ minLength: 1, maxLength: 9 })),
  CountryCode: Type.String({ pattern: "^[A-Z]{2}$" }),
  ResidentialAddressIndicator: Type.Optional(Type.String()),
});

const party = {
  Name: Type.String({ minLength: 1, maxLength: 35 }),
  AttentionName: Type.Optional(Type.String({ maxLength: 35 })),
  Phone: Type.Optional(Type.Object({ Number: Type.String({ pattern: "^\\d{1,15}$" }) })),
  EMailAddress: Type.Optional(Type.String({ maxLength: 50 })),
  Address,
};
export const Party = Type.Object(party);
export type Party = Static<typeof Party>;

const Reference = Type.Object({ Value: Type.String({ minLength: 1, maxLength: 35 }) });
const Confirmation = Type.Object({ DCISType: Type.String({ pattern: "^[1-3]$" }) });
const Money = Type.Object({
  CurrencyCode: Type.String({ pattern: "^[A-Z]{3}$" }),
  MonetaryValue: Amount,
});

const parcel = {
  Dimensions: Type.Optional(
    Type.Object({
      UnitOfMeasurement: Type.Object({ Code: Type.String({ pattern: "^(IN|CM)$" }) }),
      Length: Type.String({ pattern: "^\\d{1,3}$" }),
      Width: Type.String({ pattern: "^\\d{1,3}$" }),
      Height: Type.String({ pattern: "^\\d{1,3}$" }),
    }),
  ),
  PackageWeight: Type.Object({
    UnitOfMeasurement: Type.Object({ Code: Type.String({ pattern: "^(LBS|KGS)$" }) }),
    Weight: Type.String({ pattern: "^\\d{1,5}(\\.\\d)?$" }),
  }),
  ReferenceNumber: Type.Optional(Type.Array(Reference)),
  PackageServiceOptions: Type.Optional(
    Type.Object({
      DeliveryConfirmation: Type.Optional(Confirmation),
      DeclaredValue: Type.Optional(Money),
    }),
  ),
};
const ShippedParcel = Type.Object({ ...parcel, Packaging: Code });
const RatedParcel = Type.Object({ ...parcel, PackagingType: Code });
export type WireParcel = Static<typeof ShippedParcel> | Static<typeof RatedParcel>;

const Forms = Type.Object({
  FormType: Type.Array(Type.String({ pattern: "^\\d{2}$" }), { minItems: 1 }),
  InvoiceNumber: Type.Optional(Line),
  InvoiceDate: Day,
  CurrencyCode: Type.String({ pattern: "^[A-Z]{3}$" }),
  ReasonForExport: Type.Optional(Type.String()),
  TermsOfShipment: Type.String({ minLength: 3, maxLength: 3 }),
  Product: Type.Array(
    Type.Object({
      Description: Type.Array(Line, { minItems: 1, maxItems: 3 }),
      Unit: Type.Object({
        Number: Type.String({ pattern: "^\\d{1,7}$" }),
        UnitOfMeasurement: Code,
        Value: Amount,
      }),
      CommodityCode: Type.Optional(Type.String()),
      OriginCountryCode: Type.Optional(Type.String()),
    }),
    { minItems: 1 },
  ),
});
export type WireForms = Static<typeof Forms>;

const Options = Type.Object({
  DeliveryConfirmation: Type.Optional(Confirmation),
  SaturdayDeliveryIndicator: Type.Optional(Type.String()),
  InternationalForms: Type.Optional(Forms),
});

const shipment = {
  Shipper: Type.Object({ ...party, ShipperNumber: Type.String({ pattern: "^[0-9A-Z]{6}$" }) }),
  ShipTo: Party,
  ShipFrom: Party,
  ShipmentRatingOptions: Type.Optional(
    Type.Object({ NegotiatedRatesIndicator: Type.Optional(Type.String()) }),
  ),
  ShipmentServiceOptions: Type.Optional(Options),
};

export const RateRequest = Type.Object({
  RateRequest: Type.Object({
    Shipment: Type.Object({
      ...shipment,
      Package: Type.Array(RatedParcel, { minItems: 1 }),
      DeliveryTimeInformation: Type.Object({
        PackageBillType: Type.String(),
        Pickup: Type.Object({ Date: Day }),
      }),
    }),
  }),
});

export const ShipmentRequest = Type.Object({
  ShipmentRequest: Type.Object({
    Request: Type.Object({ RequestOption: Type.String() }),
    Shipment: Type.Object({
      ...shipment,
      Description: Type.Optional(Type.String({ maxLength: 50 })),
      ReturnService: Type.Optional(Code),
      PaymentInformation: Type.Object({
        ShipmentCharge: Type.Array(
          Type.Object({
            Type: Type.String(),
            BillShipper: Type.Object({ AccountNumber: Type.String() }),
          }),
          { minItems: 1 },
        ),
      }),
      ReferenceNumber: Type.Optional(Type.Array(Reference)),
      Service: Code,
      ShipmentDate: Day,
      Package: Type.Array(ShippedParcel, { minItems: 1, maxItems: 50 }),
    }),
    LabelSpecification: Type.Object({
      LabelImageFormat: Type.Object({ Code: Type.String({ pattern: "^(GIF|ZPL)$" }) }),
      LabelStockSize: Type.Object({ Height: Type.Literal("6"), Width: Type.Literal("4") }),
    }),
  }),
});
export type WireShipment =
  | Static<typeof ShipmentRequest>["ShipmentRequest"]["Shipment"]
  | Static<typeof RateRequest>["RateRequest"]["Shipment"];
export type WirePurchase = Static<typeof ShipmentRequest>["ShipmentRequest"];

export const RecoveryRequest = Type.Object({
  LabelRecoveryRequest: Type.Object({
    LabelSpecification: Type.Object({
      LabelImageFormat: Type.Object({ Code: Type.String({ pattern: "^(GIF|ZPL|PDF)$" }) }),
    }),
    TrackingNumber: Type.String({ minLength: 1, maxLength: 18 }),
  }),
});

export const PickupCreationRequest = Type.Object({
  PickupCreationRequest: Type.Object({
    Shipper: Type.Object({
      Account: Type.Object({
        AccountNumber: Type.String({ pattern: "^[0-9A-Z]{6,10}$" }),
        AccountCountryCode: Type.String({ pattern: "^[A-Z]{2}$" }),
      }),
    }),
    PickupDateInfo: Type.Object({
      CloseTime: Type.String({ pattern: "^\\d{4}$" }),
      ReadyTime: Type.String({ pattern: "^\\d{4}$" }),
      PickupDate: Day,
    }),
    PickupAddress: Type.Object({
      CompanyName: Type.String({ minLength: 1, maxLength: 27 }),
      ContactName: Type.String({ minLength: 1, maxLength: 22 }),
      AddressLine: Type.Array(Type.String({ minLength: 1, maxLength: 73 }), {
        minItems: 1,
        maxItems: 1,
      }),
      City: Type.String({ minLength: 1, maxLength: 50 }),
      StateProvince: Type.Optional(Type.String()),
      PostalCode: Type.Optional(Type.String({ maxLength: 8 })),
      CountryCode: Type.String({ pattern: "^[A-Z]{2}$" }),
      ResidentialIndicator: Type.String({ pattern: "^[YN]$" }),
      Phone: Type.Object({ Number: Type.String({ minLength: 1, maxLength: 25 }) }),
    }),
    PickupPiece: Type.Array(
      Type.Object({
        ServiceCode: Type.String({ pattern: "^\\d{3}$" }),
        Quantity: Type.String({ pattern: "^\\d{1,3}$" }),
        DestinationCountryCode: Type.String({ pattern: "^[A-Z]{2}$" }),
        ContainerCode: Type.String({ pattern: "^\\d{2}$" }),
      }),
      { minItems: 1 },
    ),
    TotalWeight: Type.Object({
      Weight: Type.String({ pattern: "^\\d{1,6}(\\.\\d)?$" }),
      UnitOfMeasurement: Type.String({ pattern: "^(LBS|KGS)$" }),
    }),
    SpecialInstruction: Type.Optional(Type.String({ maxLength: 57 })),
    ReferenceNumber: Type.String({ minLength: 1, maxLength: 35 }),
  }),
});
export type WirePickup = Static<typeof PickupCreationRequest>["PickupCreationRequest"];

export const shapes = {
  rate: Compile(RateRequest),
  ship: Compile(ShipmentRequest),
  recovery: Compile(RecoveryRequest),
  pickup: Compile(PickupCreationRequest),
};
