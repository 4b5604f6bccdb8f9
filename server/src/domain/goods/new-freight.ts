import { Type, type Static } from "typebox";
import {
  accessorials,
  freightClasses,
  FreightClassSource,
  LocationType,
  nmfcPattern,
  type Accessorial,
  type FreightClass,
  HandlingUnitType,
} from "./freight.ts";
import { WeightUnit, SizeUnit } from "./parcel.ts";
import { Maybe, OneOf, TimeOfDay } from "../values/schema.ts";

/** Freight as clients send it (decision 5). Rules across fields are in `freight-rules.ts`. */

export const maxUnits = 26;

const side = Type.Number({ exclusiveMinimum: 0, maximum: 100_000 });

/** As a text or as a number: both are usual. */
const GivenFreightClass = Type.Unsafe<FreightClass | number | null>({
  $id: "GivenFreightClass",
  enum: [...freightClasses, ...freightClasses.map(Number), null],
  description: "Omitted, it follows from the density.",
});

export const NewHandlingUnit = Type.Object(
  {
    type: HandlingUnitType,
    quantity: Type.Integer({ minimum: 1, maximum: maxUnits }),
    length: side,
    width: side,
    height: side,
    size_unit: SizeUnit,
    weight: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: "Of one unit, with its packing.",
    }),
    weight_unit: WeightUnit,
    stackable: Maybe(Type.Boolean(), { default: true }),
    freight_class: Type.Optional(GivenFreightClass),
    freight_class_source: Maybe(FreightClassSource, {
      description:
        "As a shipment shows it. With `density` the class is read as omitted; send `given`, or nothing, with a class of your own.",
    }),
    nmfc_code: Maybe(Type.String({ pattern: nmfcPattern, examples: ["156600-02"] })),
    description: Type.String({ minLength: 1, maxLength: 200 }),
    pieces: Maybe(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Cartons in one unit." }),
    ),
    hazmat: Maybe(Type.Boolean(), { default: false }),
  },
  { $id: "NewHandlingUnit" },
);
export type NewHandlingUnit = Static<typeof NewHandlingUnit>;

/** The contact at a stop. */
export const NewContact = Type.Object(
  {
    name: Maybe(Type.String({ maxLength: 40 })),
    phone: Maybe(Type.String({ maxLength: 20 })),
    email: Maybe(Type.String({ maxLength: 50 })),
  },
  { $id: "NewContact" },
);

const stop = (codes: readonly Accessorial[], name: string) => {
  const code = OneOf(codes, { $id: name });
  return {
    ready_time: Maybe(TimeOfDay({ description: "Local time." }), { default: "09:00" }),
    close_time: Maybe(TimeOfDay({ description: "Local time." }), { default: "17:00" }),
    location_type: Maybe(LocationType),
    contact: Maybe(NewContact),
    instructions: Maybe(Type.String({ maxLength: 500 })),
    appointment_required: Maybe(
      Type.Boolean({ description: "When absent, whether `accessorials` ask for one." }),
    ),
    accessorials: Maybe(Type.Array(code, { uniqueItems: true })),
    implied_accessorials: Maybe(
      Type.Array(code, {
        description:
          "As a shipment shows them. Codes of `accessorials` that are here as well were not requested: they are decided anew.",
      }),
    ),
  };
};

/** The accessorials allowed at one stop: its own, and those of the whole way. */
export const pickupAccessorials = accessorials.filter(
  (code) => code.endsWith("_pickup") || ["protect_from_freeze", "hazmat"].includes(code),
);
export const deliveryAccessorials = accessorials.filter((code) => !code.endsWith("_pickup"));

export const NewFreightPickup = Type.Object(
  {
    date: Maybe(
      Type.String({
        format: "date",
        description: "A business day there, at most 30 days ahead; the next one when omitted.",
      }),
    ),
    ...stop(pickupAccessorials, "PickupAccessorial"),
  },
  { $id: "NewFreightPickup" },
);
export type NewFreightPickup = Static<typeof NewFreightPickup>;

export const NewFreightDelivery = Type.Object(stop(deliveryAccessorials, "DeliveryAccessorial"), {
  $id: "NewFreightDelivery",
});
export type NewFreightDelivery = Static<typeof NewFreightDelivery>;
