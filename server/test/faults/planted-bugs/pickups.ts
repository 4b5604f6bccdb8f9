import type { PlantedBug } from "./planted-bug.ts";

/** Of drivers and freight bookings. */

const pickupRaces = ["server/test/faults/pickup-races.test.ts"];

export const bugsOfPickups: PlantedBug[] = [
  {
    name: "schedule a second driver for the same parcels",
    file: "server/src/resources/pickups/schedule-pickup.ts",
    find: "  await refuseInUse(tx, { account_id, ids, now: ctx.clock.now() });\n",
    replace: "  void refuseInUse;\n",
    tests: pickupRaces,
    red: "twenty concurrent pickups of one shipment: one driver",
  },
  {
    name: "read a pickup without locking it",
    file: "server/src/database/own-row.ts",
    find: ".forUpdate()",
    replace: "",
    tests: pickupRaces,
    red: "of two carriers that respond concurrently one is last, and the pickup is confirmed",
  },
  {
    name: "schedule a driver without charging the fee",
    file: "server/src/resources/pickups/pickup-booking.ts",
    find: "price.total_cents === 0 ? {}",
    replace: "price.total_cents >= 0 ? {}",
    tests: pickupRaces,
    red: "twenty concurrent cancellations: each driver is cancelled once, and refunded once",
  },
  {
    name: "keep the fee of a cancelled driver",
    file: "server/src/resources/pickups/pickup-cancel.ts",
    find: "      await giveFeeBack(tx, part, {",
    replace: "      void ((..._fee: unknown[]) => giveFeeBack)(tx, part, {",
    tests: pickupRaces,
    red: "twenty concurrent cancellations: each driver is cancelled once, and refunded once",
  },
  {
    name: "record a pickup again that was cancelled before it was lost",
    file: "server/src/reconcile/pickups.ts",
    find: '  if (pickup.cancelled) return that("was missing here, and cancelled since", "nothing");\n',
    replace: "",
    tests: ["server/test/faults/reconcile-pickups.test.ts"],
    red: "a dry run lists which drivers would come and which would not, and changes nothing",
  },
  {
    name: "refund the fee that the carrier keeps of a cancelled booking",
    file: "server/src/resources/ltl/booking-cancel.ts",
    find: "const refund_cents = (row.cost_total_cents ?? 0) - kept.total_cents;",
    replace: "const refund_cents = (row.cost_total_cents ?? 0) - 0 * kept.total_cents;",
    tests: ["server/test/e2e/ltl.test.ts"],
    red: "create → quotes → book → documents by their links → cancel: the carrier keeps its fee, the rest is refunded",
  },
];
