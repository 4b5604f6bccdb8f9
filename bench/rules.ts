import fc from "fast-check";
import {
  anOrderSubject,
  someCriteria,
  context,
} from "../server/src/domain/criteria/criteria-world.ts";
import { matcherOf } from "../server/src/domain/criteria/matches.ts";
import type { Action } from "../server/src/domain/rules/actions.ts";
import type { OrderDraft } from "../server/src/domain/rules/order-actions.ts";
import { orderAdapter } from "../server/src/domain/rules/order-adapter.ts";
import { runRules, type ReadyRule } from "../server/src/domain/rules/run-rules.ts";
import { runRows } from "../server/src/automation/record-runs.ts";

/**
 * How fast orders pass an account's rules, on one core: 10,000 random orders and 50 rules of random criteria,
 * each of which changes what it matches; including the changed orders and the rows of all runs, so that only
 * writing them is left.
 */

const at = new Date("2026-03-10T12:00:00.000Z");
const orders = fc
  .sample(anOrderSubject, { numRuns: 10_000, seed: 1 })
  .map((each) => ({ ...each, shipment_actions: [] }) as unknown as OrderDraft);

const doings: Action[][] = [
  [{ type: "add_tag", tag: "new" }],
  [{ type: "set_service", strategy: "cheapest", max_total: 20 }],
  [
    { type: "add_add_on", add_on: "protection" },
    { type: "add_to_batch", name: "Tonight" },
  ],
  [{ type: "set_customs", country_of_origin: "CA" }],
  [{ type: "exclude_carrier", carrier: "ups" }],
];

const criteria = fc.sample(someCriteria("orders"), { numRuns: 50, seed: 1 });

function readyRules(): ReadyRule[] {
  return criteria.map((each, place) => ({
    rule_id: `rul_${place}`,
    rule_name: `Rule ${place}`,
    trigger: "order.created",
    matches: matcherOf(each),
    actions: doings[place % doings.length]!,
    stop_processing: false,
  }));
}

const adapter = orderAdapter<OrderDraft>(context, (error) => {
  throw error;
});

async function round(): Promise<{ seconds: number; runs: number }> {
  const start = performance.now();
  const ready = readyRules();
  let runs = 0;
  for (const order of orders) {
    const subject = { account_id: "acc_bench", id: "ord_bench" };
    runs += runRows(await runRules(ready, order, adapter), {
      subject,
      type: "order",
      request_id: null,
      at,
    }).length;
  }
  return { seconds: (performance.now() - start) / 1000, runs };
}

await round();
const rounds: Awaited<ReturnType<typeof round>>[] = [];
while (rounds.length < 5) rounds.push(await round());
rounds.sort((a, b) => a.seconds - b.seconds);
const { seconds, runs } = rounds[2]!;
const perSecond = Math.round(orders.length / seconds);
console.log(
  `${perSecond} orders/s through 50 rules each, ${runs} of which acted (median of 5 rounds)`,
);
