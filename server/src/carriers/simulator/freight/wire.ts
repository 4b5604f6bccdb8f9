import { Type, type Static } from "typebox";
import { accessorials, freightClasses, handlingUnitTypes } from "../../../domain/goods/freight.ts";
import { Item } from "../../../domain/goods/parcel.ts";
import { Nullable, OneOf } from "../../../domain/values/schema.ts";
import {
  Cents,
  Code,
  Currency,
  Day,
  TimeOfDay,
  WireAddress,
  WireRate,
  WireReferences,
} from "../wire.ts";

/** The wire format between a client and the simulated freight carriers, in the dialect of `../wire.ts`. */

const Centimetres = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 });
const Text = Nullable(Type.String({ maxLength: 1_000 }));

export const WireHandlingUnit = Type.Object({
  type: OneOf(handlingUnitTypes),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000 }),
  /** Of one unit, as its sides are. */
  weight_grams: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  length_cm: Centimetres,
  width_cm: Centimetres,
  height_cm: Centimetres,
  stackable: Type.Boolean(),
  freight_class: OneOf(freightClasses),
  nmfc_code: Text,
  description: Type.String({ maxLength: 1_000 }),
  pieces: Nullable(Type.Integer({ minimum: 0 })),
  hazmat: Type.Boolean(),
});
export type WireHandlingUnit = Static<typeof WireHandlingUnit>;

const WireStop = Type.Object({
  ready_time: TimeOfDay,
  close_time: TimeOfDay,
  contact: Type.Object({ name: Text, phone: Text, email: Text }),
  instructions: Text,
});

const consignment = {
  pickup_date: Day,
  sender: WireAddress,
  recipient: WireAddress,
  units: Type.Array(WireHandlingUnit, { minItems: 1, maxItems: 100 }),
  accessorials: Type.Array(OneOf(accessorials), { uniqueItems: true }),
};

export const WireFreightQuoteRequest = Type.Object({
  ...consignment,
  currency: Currency,
  service_codes: Type.Array(Code, { minItems: 1, maxItems: 100 }),
});
export type WireFreightQuoteRequest = Static<typeof WireFreightQuoteRequest>;

const { extras: _extras, ...price } = WireRate.properties;

export const WireFreightRate = Type.Object({
  ...price,
  /** Valid for 24 hours, for this freight at this price. */
  quote_number: Code,
  accessorials: Type.Array(OneOf(accessorials)),
});
export type WireFreightRate = Static<typeof WireFreightRate>;

export const WireBookingRequest = Type.Object({
  ...consignment,
  reference: Type.String({ minLength: 1, maxLength: 100 }),
  references: Type.Optional(WireReferences),
  service_code: Code,
  quote_number: Code,
  expected_cost: Type.Object({ amount_cents: Cents, currency: Currency }),
  pickup: WireStop,
  delivery: WireStop,
  ship_code: Type.String({ maxLength: 100 }),
  customer_reference: Nullable(Type.String({ maxLength: 100 })),
  customs_lines: Type.Array(Item, { maxItems: 1_000 }),
});
export type WireBookingRequest = Static<typeof WireBookingRequest>;

export const WireBooking = Type.Object({
  booking_id: Code,
  reference: Type.String(),
  confirmation_number: Code,
  bol_number: Code,
  /** Null until the driver has put it on the freight, with carriers that do so. */
  pro_number: Nullable(Code),
  amount_cents: Cents,
  currency: Currency,
  cancellation: Nullable(Type.Object({ cancellation_number: Code, fee_cents: Cents })),
});
export type WireBooking = Static<typeof WireBooking>;

export const WireBookingResponse = Type.Object({ data: WireBooking });
export const WireBookingsResponse = Type.Object({ data: Type.Array(WireBooking, { maxItems: 1 }) });

export const WireListedBooking = Type.Object({
  ...WireBooking.properties,
  references: Nullable(WireReferences),
  service_code: Code,
  booked_at: Type.String({ format: "date-time" }),
});
export type WireListedBooking = Static<typeof WireListedBooking>;

export const WireBookingListResponse = Type.Object({
  data: Type.Array(WireListedBooking, { maxItems: 100 }),
  next_cursor: Nullable(Type.Integer({ minimum: 1 })),
});

export const WireCancelRequest = Type.Object({ reference: Code });
