import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  outcomeOf,
  type DataOf,
  type Failure,
  type Manifest,
  type Rates,
  type Shipment,
} from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { untilReady } from "../labels.ts";
import {
  newYork,
  parcelHandedTo,
  servicesHandedOver,
  showManifest,
  type HandingCarrier,
} from "../manifests.ts";
import { untilStatus } from "../other-carriers.ts";
import { connectTo } from "../real-connections.ts";
import type { Review } from "../reviews.ts";
import { aShipment, aSteeredShipment, boston, halifax, parcel } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** Carriers that are called in their own forms, under a connection of the platform's (decision 27). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
  for (const connection of connections) {
    must(await world.operator.post("/carrier-connections", connection), 201);
  }
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const connections = [
  {
    carrier: "canada_post",
    environment: "test",
    name: "Canada Post",
    values: {
      customer_number: "2004381",
      contract_id: "42708517",
      contact_email: "shipping@example.com",
      contact_phone: "416-555-0100",
    },
    secrets: { username: "key", password: "planted_secret_1" },
  },
  {
    carrier: "purolator",
    environment: "test",
    name: "Purolator",
    values: { account_number: "9999999999", contact_phone: "416-555-0100" },
    secrets: { key: "key", password: "planted_secret_2" },
  },
  {
    carrier: "usps",
    environment: "test",
    name: "USPS",
    values: { crid: "12345678", mid: "899999999", account_number: "1000000001" },
    secrets: { client_id: "planted_client_3", client_secret: "planted_secret_3" },
  },
];

describe.each([
  ["canada_post", "canada_post.expedited_parcel"],
  ["purolator", "purolator.express"],
])("%s", (_carrier, service) => {
  test("is quoted, sells a label with its file, and voids it", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const bought = await account.bought(id, { service });
    expect(bought.label_status).toBe("ready");
    expect(await connectionOf(id)).toMatch(/^con_/);
    const file = await fetch(bought.label_url!);
    expect((await file.text()).slice(0, 5)).toBe("%PDF-");
    const { data } = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200);
    expect(data.status).toBe("voided");
  });

  test("a label whose answer is lost is found, and has its file", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:lost_answer"));
    expect(outcomeOf(await account.buy(id, { service }))).toBe("409 purchase_pending");
    const found = await untilReady(account, id);
    expect(await account.show(id)).toMatchObject({ status: "purchased", label_status: "ready" });
    expect(found.tracking_code).toBeTruthy();
  });
});

test("a light box is priced by Canada Post for its size, and the rate says so", async () => {
  const account = await anAccount(world);
  const sides = { length: 50, width: 40, height: 30, size_unit: "cm" as const };
  const weigh = async (weight: number, weight_unit: "kg" | "lbs") => {
    const packages = [{ ...parcel, weight, weight_unit, ...sides }];
    const reply = await account.post<Rates>("/rates", aShipment({ packages }));
    const { data } = must(reply, 200);
    const rate = data.find(({ service }) => service === "canada_post.regular_parcel")!;
    return { price: rate.total, weight: rate.billable_weight };
  };
  const light = await weigh(1, "lbs");
  expect(light.weight).toEqual({ value: 26.46, unit: "lbs", basis: "volumetric" });
  const heavy = await weigh(12, "kg");
  expect(heavy.weight).toEqual({ value: 12, unit: "kg", basis: "actual" });
  expect(light.price).toBe(heavy.price);
});

describe("a label that was used", () => {
  test.each(["canada_post", "purolator", "ups", "usps"] as const)(
    "%s takes its void and refuses its refund: it is live again and stays paid",
    async (carrier) => {
      if (carrier === "ups") await connectTo(world, "ups");
      const isAmerican = carrier === "usps";
      const account = await anAccount(world, { currency: isAmerican ? "USD" : "CAD" });
      const address2 = "sim:used_label";
      const lane = isAmerican
        ? { from_address: newYork, to_address: { ...boston, address2 } }
        : { to_address: { ...halifax, address2 } };
      const { id } = await account.create(aShipment(lane));
      const { balance_after } = await account.bought(id, { service: services[carrier] });
      expect(await connectionOf(id)).toMatch(/^con_/);
      const voided = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200).data;
      expect(voided).toMatchObject({ status: "voided", refund: { status: "pending" } });
      await untilStatus(account, id, { status: "purchased", seconds: 20 });
      expect(await account.show(id)).toMatchObject({
        voided_at: null,
        refund: { status: "rejected" },
      });
      expect(await account.balance()).toMatchObject({ balance: balance_after, pending_refunds: 0 });
      const { label_url } = await account.show(id);
      expect((await fetch(label_url!)).status).toBe(200);
    },
  );
});

const services = {
  canada_post: "canada_post.expedited_parcel",
  purolator: "purolator.ground",
  ups: "ups.standard",
  usps: "usps.ground_advantage",
} as const;

test("what is steered at the sender of Purolator's labels counts for their manifest", async () => {
  const account = await anAccount(world);
  const entry = parcelHandedTo("purolator", "sim:refuse");
  const { id } = await account.create(entry);
  await account.bought(id, { service: servicesHandedOver.purolator });
  const asked = { carrier: "purolator", shipment_ids: [id] };
  const refused = await account.post<Failure>("/manifests", asked);
  expect(outcomeOf(refused)).toBe("502 carrier_error");
  must(await account.post(`/shipments/${id}/void`), 200);
});

test("a label of a connection that was deleted is voided nowhere, least of all at the sandbox's own carrier", async () => {
  const connection = await connectTo(world, "ups", { is_default: true });
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  await account.bought(id, { service: "ups.standard" });
  must(await world.operator.delete(`/carrier-connections/${connection}`), 204);
  const refused = await account.post<Failure>(`/shipments/${id}/void`);
  expect(outcomeOf(refused)).toBe("502 carrier_error");
  expect(refused.body.error.details).toMatchObject({
    carrier: "ups",
    carrier_code: "connection_deleted",
    retryable: false,
  });
  expect(await account.show(id)).toMatchObject({ status: "purchased" });
});

describe("manifests", () => {
  async function aLabel(
    account: TestAccount,
    carrier: HandingCarrier,
    address2: string | null = null,
  ) {
    const { id } = await account.create(parcelHandedTo(carrier, address2));
    await account.bought(id, { service: servicesHandedOver[carrier] });
    return id;
  }

  const handOver = (account: TestAccount, carrier: HandingCarrier, shipment_ids: string[]) =>
    account.post<DataOf<Manifest>>("/manifests", { carrier, shipment_ids });

  test.each(["canada_post", "purolator", "usps"] as const)(
    "%s makes one, and returns its document",
    async (carrier) => {
      const account = await anAccount(world, { currency: carrier === "usps" ? "USD" : "CAD" });
      const id = await aLabel(account, carrier);
      const { data } = must(await handOver(account, carrier, [id]), 201);
      expect(data).toMatchObject({ status: "created", shipment_ids: [id] });
      expect(data.parts[0]!.manifest_number).toBeTruthy();
      const paper = await fetch(data.documents[0]!.url);
      expect((await paper.text()).slice(0, 5)).toBe("%PDF-");
      expect(outcomeOf(await handOver(account, carrier, [id]))).toBe("409 conflict");
    },
  );

  test.each(["canada_post", "purolator"] as const)(
    "%s returns the document again that was lost here",
    async (carrier) => {
      const account = await anAccount(world);
      const { data } = must(
        await handOver(account, carrier, [await aLabel(account, carrier)]),
        201,
      );
      const folder = join(world.data_dir, "files", account.account_id, "manifests");
      await rm(folder, { recursive: true });
      const paper = await fetch(data.documents[0]!.url);
      expect((await paper.text()).slice(0, 5)).toBe("%PDF-");
    },
  );

  test("one of Canada Post's cannot be deleted any more: a refund is asked for", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:used_label"));
    await account.bought(id, { service: servicesHandedOver.canada_post });
    must(await handOver(account, "canada_post", [id]), 201);
    const voided = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200).data;
    expect(voided.refund?.status).toBe("pending");
    await sql`UPDATE shipments SET refund_check_at = now() WHERE id = ${id}`.execute(world.db);
    await untilStatus(account, id, { status: "purchased", seconds: 20 });
  });

  test("one of Purolator's cannot be voided any more", async () => {
    const account = await anAccount(world);
    const id = await aLabel(account, "purolator");
    must(await handOver(account, "purolator", [id]), 201);
    expect(outcomeOf(await account.post(`/shipments/${id}/void`))).toBe("409 not_voidable");
  });

  test("one of Canada Post's whose answer is lost is found by its labels", async () => {
    const account = await anAccount(world);
    const ids = [
      await aLabel(account, "canada_post", "sim:lost_answer"),
      await aLabel(account, "canada_post", "sim:lost_answer"),
    ];
    const { data } = must(await handOver(account, "canada_post", ids), 201);
    expect(data.status).toBe("creating");
    await vi.waitFor(
      async () => {
        const found = await showManifest(account, data.id);
        expect(found).toMatchObject({ status: "created", shipment_ids: ids });
        expect(found.documents).toHaveLength(1);
      },
      { timeout: 20_000, interval: 100 },
    );
  });

  test("one of USPS's whose answer is lost is an operator's to decide", async () => {
    const account = await anAccount(world, { currency: "USD" });
    const id = await aLabel(account, "usps", "sim:lost_answer");
    const { data } = must(await handOver(account, "usps", [id]), 201);
    expect(data.status).toBe("creating");
    const review = await vi.waitFor(
      async () => {
        const { data: open } = must(
          await world.operator.get<{ data: Review[] }>("/reviews?status=open"),
          200,
        );
        const found = open.find(({ kind }) => kind === "manifest");
        expect(found).toBeDefined();
        return found!;
      },
      { timeout: 20_000, interval: 100 },
    );
    const decision = { decision: "stands", manifest: { carrier_manifest_id: "9475 0001" } };
    must(await world.operator.post(`/reviews/${review.id}`, decision), 200);
    expect(await showManifest(account, data.id)).toMatchObject({
      status: "created",
      shipment_ids: [id],
      documents: [],
      parts: [{ manifest_number: "9475 0001" }],
    });
  });

  test("Purolator's has all that the account has open", async () => {
    const account = await anAccount(world);
    const [named, other] = [await aLabel(account, "purolator"), await aLabel(account, "purolator")];
    const { data } = must(await handOver(account, "purolator", [named]), 201);
    expect(data.shipment_ids).toEqual([named, other]);
  });
});

/** That the purchase was made under. */
async function connectionOf(shipmentId: string): Promise<string | null> {
  const { rows } = await sql<{ connection_id: string | null }>`
    SELECT connection_id FROM shipments WHERE id = ${shipmentId}`.execute(world.db);
  return rows[0]?.connection_id ?? null;
}
