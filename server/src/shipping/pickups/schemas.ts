import { Type, type Static } from "typebox";
import { Address, NewAddress } from "../../domain/addresses/address.ts";
import { PickupStatus } from "../../domain/pickups/pickup-states.ts";
import { MoneyBreakdown } from "../../domain/pricing/rate.ts";
import {
  Annotated,
  Logged,
  Maybe,
  Moment,
  Money,
  Nullable,
  OneOf,
  TimeOfDay,
} from "../../domain/values/schema.ts";
import { Contact } from "../../domain/goods/freight.ts";
import { NewContact } from "../../domain/goods/new-freight.ts";

/** The request and response schemas of pickups (decision 10). */

const Day = (options: object = {}) =>
  Type.String({ format: "date", examples: ["2026-10-06"], ...options });

export const shipmentsMax = 100;

/** The body of `POST /pickups`. */
export const NewPickup = Type.Object(
  {
    shipment_ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: shipmentsMax,
      uniqueItems: true,
      description: "Labelled courier shipments of one origin, of one carrier or of several.",
    }),
    date: Maybe(Day({ description: "At the address; the next business day there by default." })),
    ready_time: Maybe(TimeOfDay({ description: "At the address, by 24 hours." }), {
      default: "09:00",
    }),
    close_time: Maybe(TimeOfDay({ description: "At the address." }), { default: "17:00" }),
    address: Maybe(NewAddress),
    contact: Maybe(NewContact),
    instructions: Maybe(Type.String({ maxLength: 500 })),
  },
  { $id: "NewPickup" },
);
export type NewPickup = Static<typeof NewPickup>;

const text = Nullable(Type.String());

const PickupCarrier = Type.Object(
  {
    carrier: Logged(Type.String({ description: "The carrier's code." }), "known"),
    status: Annotated(PickupStatus, {
      description: "scheduled: asked for, and its answer is still being looked up.",
    }),
    confirmation_number: Nullable(
      Type.String({ description: "What the driver and the carrier's help desk know it by." }),
    ),
    fee: Money({ description: "Before tax; what was given back is not in it." }),
    error: Nullable(
      Type.Object(
        {
          code: Type.String(),
          message: Type.String(),
          carrier_code: Type.String(),
          retryable: Type.Boolean(),
        },
        { $id: "PickupError" },
      ),
    ),
    shipment_ids: Type.Array(Type.String()),
  },
  { $id: "PickupCarrier" },
);

export const Pickup = Type.Object(
  {
    id: Type.String({ examples: ["pku_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    status: Annotated(PickupStatus, {
      description:
        "`scheduled` until every carrier has answered, `confirmed` while a part is still to be picked up, `picked_up` when all confirmed parts were.",
    }),
    shipment_ids: Type.Array(Type.String()),
    carriers: Type.Array(PickupCarrier),
    date: Day(),
    ready_time: Type.String(),
    close_time: Type.String(),
    address: Address,
    contact: Contact,
    instructions: text,
    package_count: Type.Integer(),
    total_weight: Type.Object(
      { value: Type.Number(), unit: OneOf(["kg"]) },
      { $id: "PickupWeight" },
    ),
    cost: MoneyBreakdown,
    created_at: Moment(),
    updated_at: Moment(),
    cancelled_at: Nullable(Moment()),
  },
  { $id: "Pickup" },
);
export type Pickup = Static<typeof Pickup>;

/** How many parcels are looked through for what waits: a driver's day, many times over. */
export const waitingMax = 1000;

const WaitingParcels = Type.Object(
  {
    carrier: Logged(Type.String({ description: "The carrier's code." }), "known"),
    carrier_name: Type.String(),
    address: Annotated(Address, { description: "Where all of them start." }),
    shipment_ids: Type.Array(Type.String(), {
      description: `The newest of them, as many as one pickup takes: ${shipmentsMax}.`,
    }),
    shipment_count: Type.Integer({ description: "Of all that wait." }),
    package_count: Type.Integer({ description: "Of those named." }),
    total_weight: Type.Object(
      { value: Type.Number(), unit: OneOf(["kg"]) },
      { $id: "WaitingWeight", description: "Of those named." },
    ),
    fee: Annotated(MoneyBreakdown, { description: "The carrier's pickup fee." }),
    today: Nullable(
      Type.Object(
        {
          date: Day(),
          cutoff_at: Moment({
            description: "The latest moment at which a pickup for today can be requested.",
          }),
          close_time_min: TimeOfDay({
            description: "The earliest `close_time` of a pickup today, if it is requested now.",
          }),
        },
        {
          $id: "PickupToday",
          description: "Null on a day off and past the cutoff: `next_date` is the earliest then.",
        },
      ),
    ),
    next_date: Day({ description: "The next business day at the address." }),
    window_minutes: Type.Integer({
      description: "At least so long must be between ready_time and close_time.",
    }),
  },
  { $id: "WaitingParcels" },
);
export type WaitingParcels = Static<typeof WaitingParcels>;

export const Waiting = Type.Object(
  {
    data: Type.Array(WaitingParcels),
    meta: Type.Object(
      {
        capped: Type.Boolean({
          description: `More than ${waitingMax} parcels wait; older ones are not in here.`,
        }),
      },
      { $id: "WaitingMeta" },
    ),
  },
  { $id: "Waiting" },
);
export type Waiting = Static<typeof Waiting>;
