import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { outcomeOf, type Failure, type Shipment } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { untilReady } from "../labels.ts";
import { decide, untilUnderReview } from "../reviews.ts";
import { createBatch, createMany, processBatch, showBatch, untilProcessed } from "../batches.ts";
import { aShipment, aSteeredShipment, boston, notebooks } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** A label is sold, and its carrier has the file later. Tests that wait for one do so at the same time. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

async function aLateLabel(steering: string, format: "pdf" | "zpl" | "png" = "pdf") {
  const account = await anAccount(world);
  const { id } = await account.create(aSteeredShipment(`sim:${steering}`));
  const bought = await account.bought(id, { service: "cheapest", label_format: format });
  return { account, id, bought };
}

const eventsOf = async (account: TestAccount, id: string) => {
  const { rows } = await sql<{ type: string }>`
    SELECT type FROM recorded_events WHERE account_id = ${account.account_id} AND subject_id = ${id}
    ORDER BY created_at`.execute(world.db);
  return rows.map(({ type }) => type);
};

test.concurrent.each(["pdf", "zpl", "png"] as const)(
  "a %s that is late: 201 without a link, 409 until it is there, then a link and one event",
  async (format) => {
    const { account, id, bought } = await aLateLabel("late_file=*:4", format);
    expect(bought).toMatchObject({
      label_url: null,
      label_status: "pending",
      label_format: format,
    });
    expect(bought.documents.map(({ type }) => type)).not.toContain("label");
    expect(await account.show(id)).toMatchObject({
      status: "purchased",
      label_url: null,
      label_status: "pending",
    });
    const early = await account.get<Failure>(`/labels/${id}`);
    expect(outcomeOf(early)).toBe("409 label_not_ready");
    expect(Number(early.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(early.body.error.details).toEqual({ shipment_id: id, label_status: "pending" });

    const ready = await untilReady(account, id);
    expect(ready).toMatchObject({ label_status: "ready", label_format: format });
    const file = await fetch(ready.label_url!);
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(500);
    const [listed] = must(await account.get<{ data: Shipment[] }>("/shipments"), 200).data;
    expect(listed).toMatchObject({ id, label_status: "ready" });
    const told = (await eventsOf(account, id)).filter((type) => type === "shipment.label_ready");
    expect(told).toHaveLength(1);
  },
);

test.concurrent("the invoice of a label that is late is there at once", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(
    aSteeredShipment("sim:late_file=*:4", {
      to_address: { ...boston, address2: "sim:late_file=*:4" },
      items: [notebooks],
    }),
  );
  const bought = await account.bought(id);
  expect(bought.documents.map(({ type }) => type)).toEqual(["commercial_invoice"]);
  const ready = await untilReady(account, id);
  expect(ready.documents.map(({ type }) => type)).toEqual(["label", "commercial_invoice"]);
});

test("a label at once is ready, a draft has no status, and a voided label none", async () => {
  const account = await anAccount(world);
  const { id, label_status } = await account.create(aSteeredShipment("sim:track=stuck"));
  expect(label_status).toBeNull();
  expect(await account.bought(id)).toMatchObject({ label_status: "ready" });
});

test.concurrent(
  "a label whose file is late can be voided, and its file is not fetched any more",
  async () => {
    const { account, id } = await aLateLabel("late_file=*:3600");
    must(await account.post(`/shipments/${id}/void`), 200);
    expect(await account.show(id)).toMatchObject({ status: "voided", label_status: null });
    await vi.waitFor(
      async () => {
        const { rows } = await sql`SELECT FROM pending_files WHERE shipment_id = ${id}`.execute(
          world.db,
        );
        expect(rows).toEqual([]);
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(await eventsOf(account, id)).not.toContain("shipment.label_ready");
  },
);

test.concurrent("a batch gets another combined file once a late label of it is there", async () => {
  const account = await anAccount(world);
  const late = aSteeredShipment("sim:late_file=*:6");
  const batch = await createBatch(account, await createMany(account, [aShipment(), late]));
  must(await processBatch(account, batch.id, { service: "cheapest", label_format: "zpl" }), 202);
  await untilProcessed(account, batch.id);
  const combined = (except = "") =>
    vi.waitFor(
      async () => {
        const { combined_label_url: url } = await showBatch(account, batch.id);
        if (!url || new URL(url).pathname === except) throw new Error("no new file yet");
        return url;
      },
      { timeout: 20_000, interval: 50 },
    );
  const countOf = async (url: string) => (await (await fetch(url)).text()).split("^XA").length - 1;
  const first = await combined();
  const before = await countOf(first);
  const second = await combined(new URL(first).pathname);
  expect(await countOf(second)).toBeGreaterThan(before);
});

test.concurrent(
  "a file that has not come within a day is a review, and the operator's file is the label's",
  async () => {
    const { account, id } = await aLateLabel("late_file=*:3600", "zpl");
    await sql`UPDATE pending_files SET since = now() - interval '25 hours', check_at = now()
      WHERE shipment_id = ${id}`.execute(world.db);
    const review = await untilUnderReview(world, id);
    expect(review).toMatchObject({ kind: "label_file", status: "open", held: null });
    expect(outcomeOf(await account.get(`/labels/${id}`))).toBe("409 label_not_ready");

    const half = Buffer.from("^XA^FO50,50").toString("base64");
    for (const label_base64 of [half, "not base64!"]) {
      const refused = await decide(world, review, { decision: "stands", label_base64 });
      expect(outcomeOf(refused)).toBe("422 validation_failed");
    }
    const whole = Buffer.from("^XA^FO50,50^FDby hand^FS^XZ").toString("base64");
    must(await decide(world, review, { decision: "stands", label_base64: whole }), 200);
    const { label_url } = await untilReady(account, id);
    expect(await (await fetch(label_url!)).text()).toContain("by hand");
    expect(await eventsOf(account, id)).toContain("shipment.label_ready");
  },
);
