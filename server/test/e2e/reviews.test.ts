import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { outcomeOf, type DataOf, type Failure, type ListOf } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import {
  aLostPurchase,
  aPlatformOfBlindCarriers,
  decide,
  openingCents,
  soldFor,
  stands,
  untilUnderReview,
  voidByHand,
  type Review,
} from "../reviews.ts";
import { aShipment, parcel } from "../shipments.ts";
import { anAccount, aQuotedDraft, must, setDials, type World } from "../world.ts";

/** Purchases at carriers that find nothing by the reference: an operator decides (decision 8). */

let world: World;
beforeAll(async () => {
  world = await aPlatformOfBlindCarriers();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(async () => {
  await world.close();
});

const pdf = Buffer.from("%PDF-1.7\nwhat the carrier's site shows\n%%EOF\n");
const label_base64 = pdf.toString("base64");

test("a lost purchase waits under review, its money held and its key unanswered", async () => {
  const { account, id, retry, review, sold } = await aLostPurchase(world);
  const held = (await account.balance()).held;
  expect(held).toBeGreaterThan(0);
  expect(review).toEqual({
    id: expect.stringMatching(/^att_/) as string,
    kind: "label_purchase",
    account_id: account.account_id,
    shipment_id: id,
    carrier: sold.carrier,
    reference: sold.reference,
    held,
    currency: "CAD",
    sent_at: expect.stringMatching(/^\d{4}-/) as string,
    status: "open",
    last_failure: {
      kind: "unknown",
      code: "connection",
      message: expect.stringContaining("closed the connection") as string,
    },
    effects: {
      stands: { balance: -held, held: -held },
      void: { balance: 0, held: -held },
    },
    advice: expect.stringContaining(sold.reference) as string,
    evidence: { label: expect.objectContaining({ type: "object" }) as object },
    decision: null,
  });
  expect(outcomeOf(await retry())).toBe("409 purchase_pending");
  expect(await account.show(id)).toMatchObject({ status: "purchase_pending" });
  must(await decide(world, review, stands(sold)), 200);
});

test("stands: the label is the merchant's, paid once, and the key replays it", async () => {
  const { account, id, retry, review, sold } = await aLostPurchase(world);
  const body = { ...stands(sold, { label_base64 }), note: "Seen on the carrier's site" };
  const decided = must(await decide(world, review, body), 200).data;
  expect(decided).toMatchObject({
    status: "stands",
    held: 0,
    effects: null,
    advice: null,
    evidence: null,
    decision: { by: "test operator", note: "Seen on the carrier's site" },
  });
  const bought = must(await retry(), 201).data;
  expect(bought.tracking_code).toBe(sold.tracking_code);
  const file = await fetch(bought.label_url!);
  expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).toBe(true);
  expect(await account.balance()).toMatchObject({ balance: bought.balance_after, held: 0 });
  expect(await account.show(id)).toMatchObject({ status: "purchased", last_error: null });
  const log = await world.operator.get<DataOf<{ action: string; subject_id: string }[]>>(
    `/accounts/${account.account_id}/audit-log`,
  );
  expect(must(log, 200).data[0]).toMatchObject({
    actor: "test operator",
    action: "review.stands",
    subject_id: review.id,
    details: { kind: "label_purchase", of: id, note: "Seen on the carrier's site" },
  });
  // The operator decided; the actor of the purchase is the one that requested it.
  const { rows } = await sql<{ actor: string }>`
    SELECT actor FROM audit_log WHERE subject_id = ${review.id}
    UNION ALL SELECT DISTINCT split_part(actor, ':', 1) FROM recorded_events WHERE subject_id = ${id}`.execute(
    world.db,
  );
  expect(rows).toEqual([{ actor: "operator:test operator" }, { actor: "token" }]);
  // It is a label like any other from then on, though the carrier cannot be asked about its refund.
  await account.post(`/shipments/${id}/void`);
  await untilAtRest(world.db);
  expect(await account.show(id)).toMatchObject({ status: "voided" });
  expect(await account.balanceCents()).toBe(openingCents);
});

test("stands, without a file of the label, at the carrier's stated cost", async () => {
  const { account, id, retry, review, sold } = await aLostPurchase(world);
  const amount = sold.amount_cents! / 100;
  must(await decide(world, review, stands(sold, { amount })), 200);
  expect(must(await retry(), 201).data).toMatchObject({ label_url: null, documents: [] });
  expect(await account.show(id)).toMatchObject({ status: "purchased", label_format: null });
});

test("void: a label that was never issued costs nothing, and the shipment can be bought again", async () => {
  const { account, shipment, service, carrier } = await aQuotedDraft(world, openingCents);
  const { id } = shipment;
  const buy = () => account.buy(id, { service }, { "idempotency-key": "never sold" });
  await setDials(world, {
    [carrier]: { error_rate: 1, error_status: 503, operations: ["purchases"] },
  });
  expect(outcomeOf(await buy())).toBe("409 purchase_pending");
  const review = await untilUnderReview(world, id);
  expect(outcomeOf(await buy())).toBe("409 purchase_pending");
  const decided = must(await decide(world, review, { decision: "void", note: "Not there" }), 200);
  expect(decided.data).toMatchObject({ status: "void", held: 0 });
  expect(await account.balance()).toMatchObject({ balance: openingCents / 100, held: 0 });
  const { status, last_error } = await account.show(id);
  expect(status).toBe("draft");
  expect(last_error).toMatchObject({ code: "carrier_error", carrier });
  expect(JSON.stringify(last_error)).not.toContain("Not there");
  await setDials(world, {});
  must(await buy(), 201);
});

test("void: a label that the operator voided at the carrier costs nothing", async () => {
  const { account, id, review, sold } = await aLostPurchase(world);
  await voidByHand(world, sold);
  must(await decide(world, review, { decision: "void" }), 200);
  expect(await account.balanceCents()).toBe(openingCents);
  expect(await account.show(id)).toMatchObject({ status: "draft" });
});

test("a decision sent again gets the same response; another one is a conflict", async () => {
  const { review, sold } = await aLostPurchase(world);
  const first = await decide(world, review, stands(sold));
  must(first, 200);
  const { decision, label } = stands(sold);
  const again = await decide(world, review, { note: null, label, decision });
  expect(again.bytes.equals(first.bytes)).toBe(true);
  for (const other of [{ decision: "void" }, stands(sold, { amount: 1 })]) {
    const refused = must(await decide(world, review, other), 409);
    expect(refused.error).toMatchObject({
      code: "conflict",
      details: { decision: "stands", decided_by: "test operator" },
    });
  }
});

/** Bodies of a decision about two packages, with the fields that are wrong about each. */
const badBodies: [body: unknown, fields: string[]][] = [
  [null, ["decision"]],
  [{}, ["decision"]],
  [[], ["body"]],
  [{ decision: "maybe", note: 7, because: 1 }, ["because", "decision", "note"]],
  [{ decision: "void", label: {} }, ["label"]],
  [{ decision: "stands" }, ["label"]],
  [
    { decision: "stands", note: "", label: { tracking: "1" } },
    ["label.carrier_label_id", "label.tracking", "label.tracking_code", "note"],
  ],
  [
    {
      decision: "stands",
      label: {
        carrier_label_id: "two words",
        tracking_code: "",
        package_tracking_codes: [],
        label_base64: 1,
        label_format: "gif",
        amount: 0.001,
      },
    },
    [
      "label.amount",
      "label.carrier_label_id",
      "label.label_base64",
      "label.label_format",
      "label.package_tracking_codes",
      "label.tracking_code",
    ],
  ],
  [
    saying({ package_tracking_codes: ["T2", "T1"], label_base64: "%%%%" }),
    ["label.label_base64", "label.package_tracking_codes"],
  ],
  [
    saying({ package_tracking_codes: ["T1", "T2"], label_base64, label_format: "png" }),
    ["label.label_base64"],
  ],
  [saying({}), ["label.package_tracking_codes"]],
];

function saying(more: object) {
  return { decision: "stands", label: { carrier_label_id: "L1", tracking_code: "T1", ...more } };
}

test("a bad decision names every failing field and changes nothing", async () => {
  const { review, sold, retry } = await aLostPurchase(world, { packages: [parcel, parcel] });
  for (const [body, fields] of badBodies) {
    const { error } = must(await decide(world, review, body), 422);
    expect(error.code).toBe("validation_failed");
    expect(Object.keys(error.details).toSorted(), JSON.stringify(body)).toEqual(fields);
  }
  const shown = await world.operator.get<DataOf<Review>>(`/reviews/${review.id}`);
  expect(must(shown, 200).data).toEqual(review);
  const { package_tracking_codes } = sold;
  expect(package_tracking_codes).toHaveLength(2);
  must(await decide(world, review, stands(sold, { package_tracking_codes })), 200);
  expect(must(await retry(), 201).data.tracking_code).toBe(sold.tracking_code);
});

test("an id that is no review item is not found, for any caller; and an account's token opens nothing", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  await account.bought(id);
  const { reference } = await soldFor(world, id);
  for (const attempt of [reference, "att_nobody", "%00", id]) {
    expect(outcomeOf(await world.operator.get(`/reviews/${attempt}`))).toBe("404 not_found");
    const decided = await world.operator.post(`/reviews/${attempt}`, { decision: "void" });
    expect(outcomeOf(decided)).toBe("404 not_found");
  }
  const authorization = `Bearer ${account.token}`;
  for (const path of ["/reviews", `/reviews/${reference}`])
    expect(outcomeOf(await world.operator.get(path, { authorization }))).toBe(
      "401 unauthenticated",
    );
  const body = { decision: "void" };
  const forged = await world.operator.post(`/reviews/${reference}`, body, { authorization });
  expect(outcomeOf(forged)).toBe("401 unauthenticated");
});

test("open items are listed oldest first, page by page, counted in health and metrics, and leave when decided", async () => {
  const made = await Promise.all([1, 2, 3].map(() => aLostPurchase(world)));
  const lost = made.toSorted((one, other) => (one.review.id < other.review.id ? -1 : 1));
  const ids = lost.map(({ review }) => review.id);
  const seen: Review[] = [];
  for (let path: string | null = "/reviews?per_page=2"; path !== null;) {
    const page: ListOf<Review> = must(await world.operator.get<ListOf<Review>>(path), 200);
    expect(page.data.length).toBeLessThanOrEqual(2);
    seen.push(...page.data);
    path = page.links.next;
  }
  expect(seen).toEqual(lost.map(({ review }) => review));
  const second = must(await world.operator.get<ListOf<Review>>("/reviews?per_page=1&page=2"), 200);
  expect(second.data.map(({ id }) => id)).toEqual([ids[1]]);
  expect(second.meta).toMatchObject({ total: 3, last_page: 3 });
  expect(outcomeOf(await world.operator.get<Failure>("/reviews?per_page=0&cursor=x"))).toBe(
    "422 validation_failed",
  );

  const health = async () =>
    must(
      await world.operator.get<DataOf<{ reviews: { open: number; oldest: { id: string }[] } }>>(
        "/health",
      ),
      200,
    ).data.reviews;
  const { open, oldest } = await health();
  expect([open, oldest.map(({ id }) => id)]).toEqual([3, ids]);
  const gauge = async () => {
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    const counts = metrics.matchAll(/^waybill_review_items\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const untilGauge = (count: number) =>
    vi.waitFor(async () => expect(await gauge()).toBe(count), { timeout: 8000, interval: 50 });
  await untilGauge(3);
  for (const { review, sold } of lost) must(await decide(world, review, stands(sold)), 200);
  expect(await health()).toEqual({ open: 0, oldest: [] });
  expect(must(await world.operator.get<ListOf<Review>>("/reviews"), 200).data).toEqual([]);
  await untilGauge(0);
});
