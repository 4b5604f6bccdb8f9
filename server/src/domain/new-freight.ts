import { Type, type Static } from "typebox";
import {
  accessorials,
  freightClasses,
  handlingUnitTypes,
  locationTypes,
  nmfcPattern,
  type Accessorial,
  type FreightClass,
} from "./freight.ts";
import { sizeUnits, weightUnits } from "./parcel.ts";
import { Maybe, OneOf, TimeOfDay } from "./schema.ts";

/** Freight as clients send it (decision 5). What fields may contain together is in `freight-rules.ts`. */

export const maxUnits = 26;

const side = Type.Number({ exclusiveMinimum: 0, maximum: 100_000 });

/** As a text or as a number: both are how people write it. */
const GivenFreightClass = Type.Unsafe<FreightClass | number | null>({
  enum: [...freightClasses, ...freightClasses.map(Number), null],
  description: "Omitted, it follows from the density.",
});

export const NewHandlingUnit = Type.Object(
  {
    type: OneOf(handlingUnitTypes),
    quantity: Type.Integer({ minimum: 1, maximum: maxUnits }),
    length: side,
    width: side,
    height: side,
    size_unit: OneOf(sizeUnits),
    weight: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: "Of one unit, with its packing.",
    }),
    weight_unit: OneOf(weightUnits),
    stackable: Maybe(Type.Boolean({ description: "True when omitted." })),
    freight_class: Type.Optional(GivenFreightClass),
    nmfc_code: Maybe(Type.String({ pattern: nmfcPattern, examples: ["156600-02"] })),
    description: Type.String({ minLength: 1, maxLength: 200 }),
    pieces: Maybe(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Cartons in one unit." }),
    ),
    hazmat: Maybe(Type.Boolean()),
  },
  { $id: "NewHandlingUnit" },
);
export type NewHandlingUnit = Static<typeof NewHandlingUnit>;

const Contact = Type.Object({
  name: Maybe(Type.String({ maxLength: 40 })),
  phone: Maybe(Type.String({ maxLength: 20 })),
  email: Maybe(Type.String({ maxLength: 50 })),
});

const stop = (codes: readonly Accessorial[]) => ({
  ready_time: Maybe(TimeOfDay({ description: "Local time; 09:00 when omitted." })),
  close_time: Maybe(TimeOfDay({ description: "Local time; 17:00 when omitted." })),
  location_type: Maybe(OneOf(locationTypes)),
  contact: Maybe(Contact),
  instructions: Maybe(Type.String({ maxLength: 500 })),
  appointment_required: Maybe(Type.Boolean()),
  accessorials: Maybe(Type.Array(OneOf(codes), { uniqueItems: true })),
});

/** What can be asked of a lorry at one end of its way: its own, and what is of the whole way. */
export const pickupAccessorials = accessorials.filter(
  (code) => code.endsWith("_pickup") || ["protect_from_freeze", "hazmat"].includes(code),
);
export const deliveryAccessorials = accessorials.filter((code) => !code.endsWith("_pickup"));

export const NewFreightPickup = Type.Object(
  {
    date: Maybe(
      Type.String({
        format: "date",
        description: "The next business day there when omitted.",
      }),
    ),
    ...stop(pickupAccessorials),
  },
  { $id: "NewFreightPickup" },
);
export type NewFreightPickup = Static<typeof NewFreightPickup>;

export const NewFreightDelivery = Type.Object(stop(deliveryAccessorials), {
  $id: "NewFreightDelivery",
});
export type NewFreightDelivery = Static<typeof NewFreightDelivery>;
