import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aShipmentSubject, someCriteria, context } from "../criteria/criteria-world.ts";
import { matcherOf } from "../criteria/matches.ts";
import { readShipment } from "../criteria/reading.ts";
import { ApiError } from "../errors/errors.ts";
import { actionTypes, type Action, type ActionType } from "./actions.ts";
import { runRules, type ReadyRule, type Ruled } from "./run-rules.ts";
import { noEffects } from "./rule-effects.ts";
import type { ShipmentDraft } from "./shipment-actions.ts";
import { shipmentAdapter } from "./shipment-adapter.ts";
import { triggers } from "./triggers.ts";

/** Random rules on random shipments: properties that always hold. */

const address = {
  name: "Depot",
  address1: "1 Dock Road",
  city: "Ottawa",
  province_code: "ON",
  postal_code: "K1A 0A9",
  country_code: "CA",
};

/** One of each action, and a few where an action has choices. */
const samples: { [T in ActionType]: readonly Extract<Action, { type: T }>[] } = {
  set_service: [
    { type: "set_service", service: "ups.standard" },
    { type: "set_service", strategy: "cheapest", max_total: 20 },
  ],
  exclude_carrier: [{ type: "exclude_carrier", carrier: "ups" }],
  exclude_service: [{ type: "exclude_service", service: "fedex.ground" }],
  set_package: [
    { type: "set_package", length: 3, width: 2, height: 1, size_unit: "in" },
    { type: "set_package", package_type: "pak" },
  ],
  add_weight: [{ type: "add_weight", weight: 4, weight_unit: "oz" }],
  add_add_on: [{ type: "add_add_on", add_on: "protection" }],
  set_from_address: [{ type: "set_from_address", address }],
  set_customs: [{ type: "set_customs", hs_code: "691200", incoterm: "DDP" }],
  add_tag: [
    { type: "add_tag", tag: "rush" },
    { type: "add_tag", tag: "new" },
  ],
  remove_tag: [{ type: "remove_tag", tag: "RUSH" }],
  set_reference: [{ type: "set_reference", reference: "R" }],
  add_to_batch: [{ type: "add_to_batch", name: "Tonight" }],
  hold: [{ type: "hold" }],
  buy_label: [{ type: "buy_label", max_total: 9.99 }],
  reject: [{ type: "reject", message: "No." }],
};

const anAction = fc.constantFrom(
  ...actionTypes.flatMap((type): readonly Action[] => samples[type]),
);

const aRule: fc.Arbitrary<ReadyRule> = fc
  .record({
    rule_id: fc.constantFrom("rul_1", "rul_2", "rul_3"),
    criteria: fc.option(someCriteria("shipments")),
    actions: fc.array(anAction, { minLength: 1, maxLength: 4 }),
    stop_processing: fc.boolean(),
    trigger: fc.constantFrom(...triggers),
  })
  .map(({ criteria, ...rule }) => ({
    ...rule,
    rule_name: rule.rule_id,
    matches: criteria && matcherOf(criteria),
  }));

const aDraft = aShipmentSubject.map(
  (subject) =>
    ({
      ...subject,
      packages: subject.packages.map((each) => ({ ...each, package_type: "parcel" })),
      return_address: subject.from_address,
      add_ons: [],
      incoterm: null,
      contents_type: null,
      reference: null,
      batch_id: null,
      on_hold: false,
      rule_terms: null,
    }) as unknown as ShipmentDraft,
);

/** Thrown by validation: some rules fail at the end of a run and not in an action. */
const unshippable = new ApiError("validation_failed");
const adapter = shipmentAdapter<ShipmentDraft>({
  context,
  service_fits: (service, type) => type === "courier" && service !== "none",
  validate: ({ incoterm, add_ons }) => {
    if (incoterm === "DDP" && add_ons.length > 0) throw unshippable;
  },
  onBug: (error) => {
    throw error;
  },
});

const run = (rules: readonly ReadyRule[], draft: ShipmentDraft) => runRules(rules, draft, adapter);
const someRules = fc.array(aRule, { maxLength: 6 });

/** A field of a shipment, or of the rules' effects on it, as a run shows it. */
function fieldOf(draft: ShipmentDraft, field: string): unknown {
  const { exclusions, price_cap } = { ...noEffects, ...draft.rule_terms };
  if (field === "exclusions") return exclusions;
  if (field !== "price_cap") return draft[field as keyof ShipmentDraft];
  return price_cap && { service: price_cap.service, max_total: price_cap.max_total_cents / 100 };
}

/** The old things, with the changes of each applied. */
function merged(was: unknown, after: unknown): unknown {
  if (!Array.isArray(was) || !Array.isArray(after) || was.length !== after.length) return after;
  return after.map((each: unknown, place) =>
    typeof each === "object" ? { ...(was[place] as object), ...each } : each,
  );
}

function changesIn({ runs }: Ruled<ShipmentDraft>) {
  return runs.flatMap(({ changes }) => changes);
}

describe("whatever the rules and the shipment", () => {
  test("the changes of the runs lead from the old state to the new one", async () => {
    await fc.assert(
      fc.asyncProperty(someRules, aDraft, async (rules, draft) => {
        const ruled = await run(rules, draft);
        const left = new Map<string, unknown>();
        for (const { field, before, after } of changesIn(ruled)) {
          const was = left.has(field) ? left.get(field) : fieldOf(draft, field);
          if (before === null) expect(was ?? null).toBeNull();
          // Things are shown by their changes.
          else expect(was).toMatchObject(before as object);
          left.set(field, merged(was, after));
        }
        for (const field of [...Object.keys(draft), "exclusions", "price_cap"])
          if (field !== "rule_terms")
            expect(fieldOf(ruled.draft, field)).toEqual(
              left.has(field) ? left.get(field) : fieldOf(draft, field),
            );
      }),
      { numRuns: 500 },
    );
  });

  test("a rule that fails or does not match has no effect", async () => {
    await fc.assert(
      fc.asyncProperty(someRules, aDraft, async (given, draft) => {
        const rules = given
          .filter(({ actions }) => !actions.some(({ type }) => type === "reject"))
          .map((rule, place) => ({ ...rule, rule_id: `rul_${place}`, stop_processing: false }));
        const { draft: ruled, runs } = await run(rules, draft);
        const applied = new Set(
          runs.flatMap(({ status, rule_id }) => (status === "applied" ? [rule_id] : [])),
        );
        const alone = await run(
          rules.filter(({ rule_id }) => applied.has(rule_id)),
          draft,
        );
        expect(alone.draft).toEqual(ruled);
        expect(alone.runs.every(({ status }) => status === "applied")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("a refused shipment has one run, which names its rule, and is unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(someRules, aDraft, async (rules, draft) => {
        const refuses: ReadyRule = {
          rule_id: "rul_no",
          rule_name: "No",
          trigger: "shipment.created",
          matches: null,
          actions: samples.reject,
          stop_processing: false,
        };
        const calm = rules.map((rule) => ({ ...rule, stop_processing: false }));
        const ruled = await run([...calm, refuses], draft);
        expect(ruled.rejection).toMatchObject({ status: 422, code: "rejected_by_rule" });
        expect(ruled.draft).toBe(draft);
        expect(ruled.runs).toMatchObject([{ status: "rejected", changes: [] }]);
      }),
      { numRuns: 200 },
    );
  });

  test("no shipment gets both a batch and a purchase", async () => {
    await fc.assert(
      fc.asyncProperty(someRules, aDraft, async (rules, draft) => {
        const { batch, purchase } = await run(rules, draft);
        const together = rules.some(({ actions }) =>
          ["buy_label", "add_to_batch"].every((each) => actions.some(({ type }) => type === each)),
        );
        fc.pre(!together);
        expect(batch && purchase).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

test("after a rule that stops, no other of its trigger acts, and each sees the effects of those before it", async () => {
  const [draft] = fc.sample(aDraft, { numRuns: 1, seed: 1 });
  const rule = (tag: string, more: Partial<ReadyRule> = {}): ReadyRule => ({
    rule_id: `rul_${tag}`,
    rule_name: tag,
    trigger: "shipment.created",
    matches: null,
    actions: [{ type: "add_tag", tag }],
    stop_processing: false,
    ...more,
  });
  const seesFirst = matcherOf({
    match: "all",
    conditions: [{ field: "tags", operator: "contains", value: "FIRST" }],
  });
  expect(seesFirst(readShipment(draft!, context))).toBe(false);
  const ruled = await run(
    [rule("first"), rule("second", { matches: seesFirst, stop_processing: true }), rule("third")],
    { ...draft!, tags: [] },
  );
  expect(ruled.draft.tags).toEqual(["first", "second"]);
  expect(ruled.runs.map(({ rule_id }) => rule_id)).toEqual(["rul_first", "rul_second"]);
  const stops = { trigger: "batch.before_process", stop_processing: true } as const;
  const ofTwoMoments = await run([rule("batch", stops), rule("own")], { ...draft!, tags: [] });
  expect(ofTwoMoments.draft.tags).toEqual(["batch", "own"]);
});
