import type { PlantedBug } from "./planted-bug.ts";

/** Of quotes, labels and what a shipment shows. */

const lateSales = ["server/test/faults/late-sales.test.ts"];
const carrierFaults = ["server/test/faults/carrier-faults.test.ts"];
const quotedRates = ["server/test/e2e/quoted-rates.test.ts"];

export const bugsOfPurchases: PlantedBug[] = [
  {
    name: "answer a settled purchase without storing the answer",
    file: "server/src/purchasing/labels/label-purchase.ts",
    find: "      recordOutcome(\n        tx,\n        attempt,\n",
    replace: "      recordOutcome(\n        tx,\n        { ...attempt, idempotency_key: null },\n",
    tests: ["server/test/faults/kill.test.ts"],
    red: "killed while the carrier works, which commits after the kill",
  },
  {
    name: "mark a purchase or a pickup not executed that may still wait for its slot",
    file: "server/src/shipping/connections/unknown-outcomes.ts",
    find: "queueSeconds(platform.outbound) + horizonSeconds",
    replace: "queueSeconds(platform.outbound) * 0 + horizonSeconds",
    tests: lateSales,
    red: "stays open while its call may still wait for its slot",
  },
  {
    name: "keep a label that is a cent more expensive than was quoted",
    file: "server/src/purchasing/labels/label-mismatch.ts",
    find: "if (cost && cost.amount_cents > amount_cents) {",
    replace: "if (cost && cost.amount_cents > amount_cents + 1) {",
    tests: carrierFaults,
    red: "a carrier that refuses for its price reports both totals; a label issued at a higher price is voided",
  },
  {
    name: "buy a quoted rate for a shipment of another insured value",
    file: "server/src/purchasing/quotes/quote-digest.ts",
    find: "    insured_value_cents: shipment.insured_value_cents,\n",
    replace: "",
    tests: quotedRates,
    red: "is 409 rate_changed for other data",
  },
  {
    name: "buy a quoted rate that has expired",
    file: "server/src/purchasing/quotes/store.ts",
    find: '    .where("expires_at", ">", now)\n',
    replace: "",
    tests: quotedRates,
    red: "is 422 at rate_id when it is unknown",
  },
  {
    name: "protect a value in another currency as if it were in the account's",
    file: "server/src/domain/limits/declared-value.ts",
    find: "  if (!isForeign(parcel, currency)) return cents;\n",
    replace: "  if (!isForeign(parcel, currency) || cents >= 0) return cents;\n",
    tests: ["server/test/e2e/currencies.test.ts"],
    red: "is not added to one in the account's own",
  },
  {
    name: "remember for a key that no service was offered while a carrier failed",
    file: "server/src/purchasing/quotes/nothing-offered.ts",
    find: "excluded.find(({ retryable }) => retryable)",
    replace: "excluded.find(({ retryable }) => retryable && false)",
    tests: ["server/test/e2e/carrier-outage.test.ts"],
    red: "and the same key buys once it is well",
  },
  {
    name: "show the link of a label while its void is open",
    file: "server/src/domain/shipments/shipment-states.ts",
    find: 'return status === "void_pending" || isVoided(status);',
    replace: "return isVoided(status);",
    tests: ["server/test/e2e/voided-labels.test.ts"],
    red: "while it is unknown whether the carrier voided a label, neither call shows a link",
  },
  {
    name: "settle a tracking code without locking it",
    file: "server/src/shipping/shipments/purchase-store.ts",
    find: "SELECT count(pg_advisory_xact_lock(code))",
    replace: "SELECT count(code)",
    tests: ["server/test/faults/shared-codes.test.ts"],
    red: "of two accounts whose labels get one code at the same instant",
  },
];
