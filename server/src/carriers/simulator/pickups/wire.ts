import { Type, type Static } from "typebox";
import { Nullable } from "../../../domain/values/schema.ts";
import { Cents, Code, Currency, Day, TimeOfDay, WireAddress } from "../wire.ts";

/** The wire format of a simulated carrier's pickups, in the dialect of `../wire.ts`. */

const Text = Nullable(Type.String({ maxLength: 500 }));

/** Where and when the driver is to come, and what is picked up. */
const stop = {
  address: WireAddress,
  contact: Type.Object({ name: Text, phone: Text, email: Text }),
  date: Day,
  ready_time: TimeOfDay,
  close_time: TimeOfDay,
  instructions: Text,
  tracking_codes: Type.Array(Code, { minItems: 1, maxItems: 100 }),
};

/** Anything that the client wants to find again in the list. The simulator does not interpret it. */
const WirePickupReferences = Type.Object({
  account_id: Code,
  pickup_id: Code,
  idempotency_key: Nullable(Type.String({ maxLength: 255 })),
});

export const WirePickupRequest = Type.Object({
  ...stop,
  reference: Type.String({ minLength: 1, maxLength: 100 }),
  references: Type.Optional(WirePickupReferences),
  package_count: Type.Integer({ minimum: 1, maximum: 5_000 }),
  weight_grams: Type.Integer({ minimum: 1 }),
  expected_fee: Type.Object({ amount_cents: Cents, currency: Currency }),
});
export type WirePickupRequest = Static<typeof WirePickupRequest>;

export const WirePickup = Type.Object({
  pickup_id: Code,
  reference: Type.String(),
  confirmation_number: Code,
  date: Day,
  /** Others under the same number are part of it: cancelling one cancels all. */
  shared: Type.Boolean(),
  fee_cents: Cents,
  currency: Currency,
  cancelled: Type.Boolean(),
});
export type WirePickup = Static<typeof WirePickup>;

export const WirePickupResponse = Type.Object({ data: WirePickup });
export const WirePickupsResponse = Type.Object({ data: Type.Array(WirePickup, { maxItems: 1 }) });
export const WirePickupCancelRequest = Type.Object({ reference: Code });

export const WireListedPickup = Type.Object({
  ...WirePickup.properties,
  ...stop,
  references: Nullable(WirePickupReferences),
  asked_at: Type.String({ format: "date-time" }),
});
export type WireListedPickup = Static<typeof WireListedPickup>;

export const WirePickupListResponse = Type.Object({
  data: Type.Array(WireListedPickup, { maxItems: 100 }),
  next_cursor: Nullable(Type.Integer({ minimum: 1 })),
});
