import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { carrierRegister, createCarriers } from "../../src/carriers/register.ts";
import { reseal } from "../../src/database/reseal.ts";
import { createSealer } from "../../src/domain/accounts/sealer.ts";
import { toCents } from "../../src/domain/values/money.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { outcomeOf, type Client, type Failure, type Rates, type Reply } from "../client.ts";
import { adjust } from "../adjust.ts";
import { aFreight } from "../freight-shipments.ts";
import { cancel, scheduled } from "../pickups.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, setDials, type TestAccount, type World } from "../world.ts";

/** Contracts with carriers, of the platform and of accounts (decision 27). */

let world: World;
/** The simulator's credentials and callers, by carrier, in order. */
const seen: { carrier: string; operation: string; connection: string | null }[] = [];
beforeAll(async () => {
  world = await aPlatform({}, { carriers: watched });
});
afterAll(() => world.close());

/** How much less carriers charge than they quoted. */
let rebateCents = 0;

/** The catalogue, each of whose calls notes the connection that it is made on. */
function watched(url: string) {
  const noted = createCarriers({ simulator_url: url }).all.map((carrier) => {
    const note = (operation: string, connection: { id: string } | null) =>
      void seen.push({
        carrier: carrier.descriptor.code,
        operation,
        connection: connection?.id ?? null,
      });
    return {
      ...carrier,
      quote: ((request, signal) => {
        note("quote", request.context.connection);
        return carrier.quote(request, signal);
      }) satisfies typeof carrier.quote,
      buyLabel: (async (request, signal) => {
        note("buy", request.context.connection);
        const label = await carrier.buyLabel(request, signal);
        const { cost } = label;
        return cost
          ? { ...label, cost: { ...cost, amount_cents: cost.amount_cents - rebateCents } }
          : label;
      }) satisfies typeof carrier.buyLabel,
      voidLabel: ((label, signal) => {
        note("void", label.context.connection);
        return carrier.voidLabel(label, signal);
      }) satisfies typeof carrier.voidLabel,
      refundState: ((label, signal) => {
        note("refund", label.context.connection);
        return carrier.refundState(label, signal);
      }) satisfies typeof carrier.refundState,
      track: ((request, signal) => {
        note("track", request.context.connection);
        return carrier.track(request, signal);
      }) satisfies typeof carrier.track,
    };
  });
  return carrierRegister(noted);
}

interface Connection {
  id: string;
  carrier: string;
  environment: string;
  status: string;
  is_default: boolean;
  secret_hint: string | null;
  values: Record<string, string>;
  updated_at: string;
}
const path = "/carrier-connections";
const secret = "sim_a_planted_secret_Kq7Z";
const detailsOf = (reply: Reply<unknown>) => (reply.body as Failure).error.details;
const ofFedex = ({ data }: Rates) => data.filter(({ carrier }) => carrier.code === "fedex");
const callsOn = (id: string) =>
  new Set(seen.filter((each) => each.connection === id).map((each) => each.operation));

const created = async (client: Client, given: object = {}): Promise<Connection> =>
  must(
    await client.post<{ data: Connection }>(path, {
      carrier: "fedex",
      environment: "test",
      name: "FedEx",
      secrets: { api_key: secret },
      ...given,
    }),
    201,
  ).data;
const shown = async (client: Client, id: string): Promise<Connection> =>
  must(await client.get<{ data: Connection }>(`${path}/${id}`), 200).data;

async function withoutPlatforms(): Promise<void> {
  const { data } = must(await world.operator.get<{ data: Connection[] }>(path), 200);
  for (const { id } of data) must(await world.operator.delete(`${path}/${id}`), 204);
}

async function aShop(own_carrier_accounts = true, balance_cents = 100_000): Promise<TestAccount> {
  const shop = await anAccount(world, { balance_cents });
  const settings = `/accounts/${shop.account_id}/settings`;
  must(await world.operator.patch(settings, { own_carrier_accounts }), 200);
  return shop;
}

describe("a connection", () => {
  test("is created sealed, shown without its secrets, and only its last characters", async () => {
    await withoutPlatforms();
    const reply = await world.operator.post(path, {
      carrier: "fedex",
      environment: "test",
      name: "FedEx",
      values: { account_number: "A1B2C3" },
      secrets: { api_key: secret },
    });
    const { data } = must(reply, 201) as { data: Connection };
    expect(data).toMatchObject({
      carrier: "fedex",
      environment: "test",
      status: "untested",
      is_default: true,
      secret_hint: "Kq7Z",
      values: { account_number: "A1B2C3" },
      unheard_policy: "hold",
    });
    const list = await world.operator.get(path);
    for (const { bytes } of [reply, list]) expect(bytes.toString()).not.toContain(secret);
    const rows = await sql<{ row: string }>`
      SELECT row::text FROM carrier_connections AS row`.execute(world.db);
    expect(JSON.stringify(rows.rows)).not.toContain(secret);
  });

  test("names every failing field, also the carrier's", async () => {
    const bad = await world.operator.post(path, {
      carrier: "fedex",
      environment: "moon",
      values: { account_number: "", other: "1" },
      secrets: { api_key: "" },
    });
    expect(outcomeOf(bad)).toBe("422 validation_failed");
    expect(Object.keys(detailsOf(bad)).sort()).toEqual([
      ...["environment", "name", "secrets.api_key"],
      ...["values.account_number", "values.other"],
    ]);
    const unknown = await world.operator.post(path, {
      carrier: "acme",
      environment: "test",
      name: "Acme",
      secrets: {},
    });
    expect(Object.keys(detailsOf(unknown))).toEqual(["carrier"]);
    const none = await world.operator.post(path, []);
    expect(none.status).toBe(422);
  });

  test("ignores fields that it does not know, as every body does", async () => {
    await withoutPlatforms();
    const { id } = await created(world.operator, { zz: 1 });
    const changed = must(await world.operator.patch(`${path}/${id}`, { name: "Ours", zz: 1 }), 200);
    expect(changed).toMatchObject({ data: { name: "Ours" } });
    const next = { secrets: { api_key: secret }, zz: 1 };
    must(await world.operator.post(`${path}/${id}/rotate`, next), 200);
    const rate = { base: "USD", quote: "EUR", rate: 0.9, valid_from: "2020-01-01", zz: 1 };
    must(await world.operator.post("/exchange-rates", rate), 201);
  });

  test("is the default where it is the first, and at most one is", async () => {
    await withoutPlatforms();
    const first = await created(world.operator);
    const second = await created(world.operator);
    const third = await created(world.operator, { is_default: true });
    const live = await created(world.operator, { environment: "live" });
    const defaults = async () =>
      must(await world.operator.get<{ data: Connection[] }>(path), 200)
        .data.filter(({ is_default }) => is_default)
        .map(({ id }) => id);
    expect([first, second, third].map(({ is_default }) => is_default)).toEqual([true, false, true]);
    expect(await defaults()).toEqual([live.id, third.id]);
    must(await world.operator.patch(`${path}/${second.id}`, { is_default: true }), 200);
    expect(await defaults()).toEqual([live.id, second.id]);
  });

  test("leaves the default to the oldest that remains, and none gives it up unasked", async () => {
    await withoutPlatforms();
    const first = await created(world.operator);
    const second = await created(world.operator);
    const third = await created(world.operator);
    const change = (id: string, given: object) =>
      world.operator.patch<{ data: Connection }>(`${path}/${id}`, given);
    const refused = await change(first.id, { is_default: false });
    expect(outcomeOf(refused)).toBe("422 validation_failed");
    expect(Object.keys(detailsOf(refused))).toEqual(["is_default"]);
    must(await change(third.id, { is_default: false }), 200);
    must(await change(second.id, { status: "disabled" }), 200);
    must(await world.operator.delete(`${path}/${first.id}`), 204);
    // The disabled one is not in force: the default would leave the carrier without a connection.
    expect(await shown(world.operator, second.id)).toMatchObject({ is_default: false });
    expect(await shown(world.operator, third.id)).toMatchObject({ is_default: true });
    must(await world.operator.delete(`${path}/${third.id}`), 204);
    expect(await shown(world.operator, second.id)).toMatchObject({ is_default: true });
  });

  test("of an account that loses its default is billed by the next one, and not by the platform", async () => {
    const shop = await aShop();
    const first = await created(shop, { environment: undefined });
    const second = await created(shop, { environment: undefined });
    must(await shop.delete(`${path}/${first.id}`), 204);
    const rate = ofFedex(must(await shop.post<Rates>("/rates", aShipment()), 200))[0]!;
    expect(rate).toMatchObject({ billed_by: "carrier", total: 0 });
    expect(callsOn(second.id)).toEqual(new Set(["quote"]));
  });

  test("becomes the default where an older release left none", async () => {
    await withoutPlatforms();
    await created(world.operator);
    await world.db.updateTable("carrier_connections").set({ is_default: false }).execute();
    expect(await created(world.operator)).toMatchObject({ is_default: true });
  });

  test.each(["day_ross", "manitoulin", "tforce_freight", "fedex"])(
    "with %s is tested and rotated",
    async (carrier) => {
      await withoutPlatforms();
      const { id } = await created(world.operator, { carrier });
      const at = `${path}/${id}`;
      expect(must(await world.operator.post(`${at}/test`, {}), 200)).toMatchObject({
        data: { ok: true, code: "ok" },
      });
      const next = { secrets: { api_key: "sim_a_newer_secret" } };
      must(await world.operator.post(`${at}/rotate`, next), 200);
      const wrong = { secrets: { api_key: "not_one_of_ours" } };
      expect(outcomeOf(await world.operator.post(`${at}/rotate`, wrong))).toBe(
        "422 validation_failed",
      );
    },
  );

  test("is switched on where it was off, and else stays as its last test left it", async () => {
    await withoutPlatforms();
    const { id } = await created(world.operator, { secrets: { api_key: "not_one_of_ours" } });
    const changed = async (status: string) =>
      must(await world.operator.patch<{ data: Connection }>(`${path}/${id}`, { status }), 200).data
        .status;
    expect(await changed("active")).toBe("untested");
    must(await world.operator.post(`${path}/${id}/test`, {}), 200);
    expect(await changed("active")).toBe("failing");
    expect(await changed("disabled")).toBe("disabled");
    expect(await changed("active")).toBe("active");
  });

  test("may be sent back as it was read in any status, and no other status than on or off is set", async () => {
    await withoutPlatforms();
    const values = { account_number: "A1B2C3" };
    const secrets = { api_key: "not_one_of_ours" };
    const { id } = await created(world.operator, { values, secrets });
    const change = (given: object) =>
      world.operator.patch<{ data: Connection }>(`${path}/${id}`, given);
    const sendBack = async () => {
      const { updated_at: _before, ...before } = await shown(world.operator, id);
      const { updated_at: _after, ...after } = must(await change(before), 200).data;
      expect(after).toEqual(before);
      return after.status;
    };
    expect(await sendBack()).toBe("untested");
    must(await world.operator.post(`${path}/${id}/test`, {}), 200);
    expect(await sendBack()).toBe("failing");
    const refused = await change({ name: "Renamed", status: "untested" });
    expect(outcomeOf(refused)).toBe("422 validation_failed");
    expect(Object.keys(detailsOf(refused))).toEqual(["status"]);
    const changed = { status: "failing", values: { account_number: "D4E5F6" } };
    expect(must(await change(changed), 200).data.status).toBe("untested");
    must(await change({ status: "disabled" }), 200);
    expect(await sendBack()).toBe("disabled");
    must(await change({ status: "active" }), 200);
    expect(await sendBack()).toBe("active");
  });

  test("is tested by a call of the carrier, and rotated only to secrets that it accepts", async () => {
    await withoutPlatforms();
    const { id } = await created(world.operator, { secrets: { api_key: "not_one_of_ours" } });
    const test = () => world.operator.post<{ data: object }>(`${path}/${id}/test`, {});
    expect(must(await test(), 200).data).toMatchObject({ ok: false, code: "credentials_invalid" });
    expect(await shown(world.operator, id)).toMatchObject({ status: "failing" });
    const rotate = (api_key: string) =>
      world.operator.post(`${path}/${id}/rotate`, { secrets: { api_key } });
    const refused = await rotate("another_wrong_one");
    expect(outcomeOf(refused)).toBe("422 validation_failed");
    expect(Object.keys(detailsOf(refused))).toEqual(["secrets"]);
    expect(await shown(world.operator, id)).toMatchObject({ secret_hint: "ours" });
    must(await rotate(secret), 200);
    expect(await shown(world.operator, id)).toMatchObject({
      status: "active",
      secret_hint: "Kq7Z",
    });
    expect(must(await test(), 200).data).toMatchObject({ ok: true, code: "ok" });
    await setDials(world, { fedex: { error_rate: 1, error_status: 503 } });
    expect(outcomeOf(await rotate("sim_a_newer_secret"))).toBe("502 carrier_error");
    await setDials(world, {});
    expect(await shown(world.operator, id)).toMatchObject({ secret_hint: "Kq7Z" });
  });

  test("is sealed anew by waybill rekey, and does not open in another row", async () => {
    await withoutPlatforms();
    const { id } = await created(world.operator);
    const old = "a secret of forty characters for tests ab";
    const next = createSealer("another secret of forty characters, for it", [old]);
    await reseal(world.db, next);
    const { sealed_secrets } = await world.db
      .selectFrom("carrier_connections")
      .select("sealed_secrets")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(next.isCurrent(sealed_secrets)).toBe(true);
    const purpose = `carrier_connections platform ${id} fedex test`;
    expect(next.open(sealed_secrets, purpose)).toBe(JSON.stringify({ api_key: secret }));
    expect(() => next.open(sealed_secrets, purpose.replace("fedex", "usps"))).toThrow();
    await reseal(world.db, createSealer(old, ["another secret of forty characters, for it"]));
  });
});

describe("the platform's connection", () => {
  test("is used from the quote to the refund, also once another is the default", async () => {
    await withoutPlatforms();
    const shop = await aShop(false);
    const first = await created(world.operator);
    const { id } = await shop.create(aShipment());
    const rate = ofFedex(await shop.rates(id))[0]!;
    expect(rate).toMatchObject({ billed_by: "platform", carrier_price: null });
    const second = await created(world.operator, { is_default: true });
    await shop.bought(id, { rate_id: rate.id });
    must(await shop.post(`/shipments/${id}/void`, {}), 200);
    await expect.poll(async () => (await shop.show(id)).status, { timeout: 20_000 }).toBe("voided");
    await expect
      .poll(async () => (await shop.show(id)).refund?.status, { timeout: 20_000 })
      .toBe("approved");
    expect([...callsOn(first.id)]).toEqual(expect.arrayContaining(["quote", "buy", "void"]));
    expect(callsOn(second.id).has("void")).toBe(false);
  });

  test("is left out of quotes after three refusals in a row, and no purchase holds money", async () => {
    await withoutPlatforms();
    const shop = await aShop(false);
    const { id: connection } = await created(world.operator, {
      secrets: { api_key: "expired_key" },
    });
    const { id } = await shop.create(aShipment());
    for (let time = 0; time < 3; time++) {
      const rates = await shop.rates(id);
      expect(
        rates.meta.excluded_services.filter(({ carrier }) => carrier === "fedex"),
      ).toMatchObject(
        expect.arrayContaining([
          expect.objectContaining({ reason: "carrier_credentials_invalid", retryable: false }),
        ]),
      );
    }
    expect(await shown(world.operator, connection)).toMatchObject({ status: "failing" });
    const before = seen.length;
    const rates = await shop.rates(id);
    expect(ofFedex(rates)).toEqual([]);
    expect(seen.slice(before).filter(({ carrier }) => carrier === "fedex")).toEqual([]);
    const key = { "idempotency-key": "on-a-failing-one" };
    const refused = await shop.buy(id, { service: "fedex.ground" }, key);
    expect(outcomeOf(refused)).toBe("502 carrier_error");
    expect(detailsOf(refused)).toMatchObject({ carrier_code: "credentials_invalid" });
    expect(await shop.balance()).toMatchObject({ held: 0 });
    must(
      await world.operator.post(`${path}/${connection}/rotate`, { secrets: { api_key: secret } }),
      200,
    );
    expect(outcomeOf(await shop.buy(id, { service: "fedex.ground" }, key))).toBe("201");
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    expect(metrics).toMatch(
      /waybill_carrier_connections_failed_total\{[^}]*carrier="fedex"[^}]*\} [1-9]/,
    );
  });

  test("cannot be deleted while a purchase on it has no outcome", async () => {
    await withoutPlatforms();
    const shop = await aShop(false);
    const { id: connection } = await created(world.operator);
    const { id } = await shop.create(
      aShipment({ to_address: { ...aShipment().to_address, address2: "sim:lost_answer" } }),
    );
    await setDials(world, {
      fedex: { error_rate: 1, error_status: 503, operations: ["look_ups"] },
    });
    expect(outcomeOf(await shop.buy(id, { service: "fedex.ground" }))).toBe("409 purchase_pending");
    const refused = await world.operator.delete(`${path}/${connection}`);
    expect(outcomeOf(refused)).toBe("409 conflict");
    expect(detailsOf(refused)).toMatchObject({ open_attempts: 1 });
    await setDials(world, {});
    await expect
      .poll(async () => (await shop.show(id)).status, { timeout: 30_000 })
      .toBe("purchased");
    must(await world.operator.delete(`${path}/${connection}`), 204);
  }, 60_000);

  test("that is being deleted sells nothing: 409 rate_changed, and nothing is held", async () => {
    await withoutPlatforms();
    const shop = await aShop(false);
    const { id: connection } = await created(world.operator);
    const { id } = await shop.create(aShipment());
    const [rate] = ofFedex(await shop.rates(id));
    const deletion = await world.db.startTransaction().execute();
    await deletion.deleteFrom("carrier_connections").where("id", "=", connection).execute();
    const purchase = shop.buy(id, { rate_id: rate!.id });
    await expect.poll(() => waitingForLocks()).toBeGreaterThan(0);
    await deletion.commit().execute();
    const refused = await purchase;
    expect(outcomeOf(refused)).toBe("409 rate_changed");
    expect(callsOn(connection).has("buy")).toBe(false);
    expect(await shop.balance()).toMatchObject({ held: 0 });
    expect((await shop.show(id)).status).toBe("draft");
  });

  test("cannot be deleted while the file of a label that was sold on it is late", async () => {
    await withoutPlatforms();
    const shop = await aShop(false);
    const { id: connection } = await created(world.operator);
    const late = { ...aShipment().to_address, address2: "sim:late_file=*:3600" };
    const { id } = await shop.create(aShipment({ to_address: late }));
    await shop.bought(id, { service: "fedex.ground" });
    const refused = await world.operator.delete(`${path}/${connection}`);
    expect(outcomeOf(refused)).toBe("409 conflict");
    expect(detailsOf(refused)).toMatchObject({ open_attempts: 0, pending_files: 1 });
    await sql`DELETE FROM pending_files WHERE shipment_id = ${id}`.execute(world.db);
    must(await world.operator.delete(`${path}/${connection}`), 204);
  });

  test("cannot be deleted while a pickup of its carrier is to come", async () => {
    await withoutPlatforms();
    const shop = await aShop(false);
    const { id: connection } = await created(world.operator);
    const { id } = await shop.create(aShipment());
    await shop.bought(id, { service: "fedex.ground" });
    const pickup = await scheduled(shop, id);
    const refused = await world.operator.delete(`${path}/${connection}`);
    expect(outcomeOf(refused)).toBe("409 conflict");
    expect(detailsOf(refused)).toMatchObject({ open_attempts: 0, open_pickups: 1 });
    must(await cancel(shop, pickup.id), 200);
    must(await world.operator.delete(`${path}/${connection}`), 204);
  });
});

/** How many connections to the database wait for a lock that another one holds. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(world.db);
  return rows[0]!.count;
}

describe("an account's own connection", () => {
  test("needs the operator's switch", async () => {
    const shop = await aShop(false);
    for (const reply of [
      await shop.get(path),
      await shop.post(path, { carrier: "fedex", name: "FedEx", secrets: { api_key: secret } }),
    ])
      expect(outcomeOf(reply)).toBe("403 feature_disabled");
  });

  test("is not used once the switch is off, but for what was bought on it", async () => {
    await withoutPlatforms();
    const shop = await aShop();
    const own = await created(shop, { environment: undefined });
    const { id } = await shop.create(aShipment());
    await shop.bought(id, { rate_id: ofFedex(await shop.rates(id))[0]!.id });
    const settings = `/accounts/${shop.account_id}/settings`;
    must(await world.operator.patch(settings, { own_carrier_accounts: false }), 200);
    const plain = ofFedex(must(await shop.post<Rates>("/rates", aShipment()), 200))[0]!;
    expect(plain).toMatchObject({ billed_by: "platform" });
    must(await shop.post(`/shipments/${id}/void`, {}), 200);
    await expect.poll(() => callsOn(own.id).has("void"), { timeout: 20_000 }).toBe(true);
  });

  test("is nobody else's: foreign and missing are the same 404", async () => {
    const [one, other] = [await aShop(), await aShop()];
    const own = await created(one, { environment: undefined });
    expect(own).toMatchObject({ environment: "test", is_default: true });
    const missing = await other.get(`${path}/${own.id.slice(0, -1)}0`);
    const foreign = await other.get(`${path}/${own.id}`);
    expect(foreign.status).toBe(404);
    expect(foreign.bytes).toEqual(missing.bytes);
    expect(outcomeOf(await other.delete(`${path}/${own.id}`))).toBe("404 not_found");
    expect(outcomeOf(await world.operator.get(`${path}/${own.id}`))).toBe("404 not_found");
    const wrong = await one.post(path, {
      carrier: "fedex",
      environment: "live",
      name: "x",
      secrets: { api_key: secret },
    });
    expect(Object.keys(detailsOf(wrong))).toEqual(["environment"]);
  });

  test("wins over the platform's, and the account pays the platform's fee alone", async () => {
    await withoutPlatforms();
    const platforms = await created(world.operator);
    const shop = await aShop();
    const plain = ofFedex(must(await shop.post<Rates>("/rates", aShipment()), 200))[0]!;
    const own = await created(shop, { environment: undefined });
    const { id } = await shop.create(aShipment());
    const rate = ofFedex(await shop.rates(id)).find(({ service }) => service === plain.service)!;
    expect(rate).toMatchObject({
      billed_by: "carrier",
      total: 0,
      subtotal: 0,
      base_rate: 0,
      surcharges: [],
      tax: 0,
      exchange: null,
    });
    expect(rate.carrier_price!.amount).toBeGreaterThan(1);
    expect(rate.carrier_price!.currency).toBe("CAD");
    const before = await shop.balanceCents();
    // What it charges in the end, and to the merchant, is no more in the books than what it quoted.
    rebateCents = 100;
    const bought = await shop.bought(id, { rate_id: rate.id });
    rebateCents = 0;
    expect(bought.cost).toMatchObject({ total: 0 });
    expect(await shop.balanceCents()).toBe(before);
    expect(callsOn(own.id)).toEqual(new Set(["quote", "buy"]));
    const { data } = must(
      await shop.get<{ data: { type: string; total: number }[] }>("/credits/transactions"),
      200,
    );
    expect(data[0]).toMatchObject({ type: "label" });
    const entries = await world.db
      .selectFrom("ledger_entries")
      .select(["book", "amount_cents"])
      .where("account_id", "=", shop.account_id)
      .where("book", "in", ["carrier_costs", "carrier_payable", "postage_revenue"])
      .execute();
    expect(entries.every(({ amount_cents }) => amount_cents === 0)).toBe(true);
    must(await shop.post(`/shipments/${id}/void`, {}), 200);
    await expect.poll(async () => (await shop.show(id)).status, { timeout: 20_000 }).toBe("voided");
    expect(callsOn(own.id)).toContain("void");
    expect(await verifyLedger(world.db)).toEqual([]);
    must(await world.operator.delete(`${path}/${platforms.id}`), 204);
  });

  test("costs the margin's fixed part, however large the balance is not", async () => {
    const shop = await aShop(true, 0);
    const settings = `/accounts/${shop.account_id}/settings`;
    const margins = {
      retail: { percent: 20, fixed: 0 },
      standard: { percent: 50, fixed: 0.75 },
      enterprise: { percent: 5, fixed: 0 },
    };
    must(await world.operator.patch(settings, { margins }), 200);
    await created(shop, { environment: undefined });
    const { id } = await shop.create(aShipment());
    const rate = ofFedex(await shop.rates(id))[0]!;
    expect(rate).toMatchObject({ billed_by: "carrier", subtotal: 0.75, base_rate: 0.75 });
    expect(outcomeOf(await shop.buy(id, { rate_id: rate.id }))).toBe("402 insufficient_credits");
    must(await adjust(world, shop.account_id, { amount: 1, description: "A dollar" }), 201);
    const bought = await shop.bought(id, { rate_id: rate.id });
    expect(toCents(bought.balance_after)).toBe(100 - toCents(rate.total));
  });

  test("has its pickups and cancelled bookings billed to the merchant, too", async () => {
    await withoutPlatforms();
    const shop = await aShop();
    for (const carrier of ["fedex", "tforce_freight"])
      await created(shop, { carrier, environment: undefined });
    const parcel = await shop.create(aShipment());
    await shop.bought(parcel.id, { service: ofFedex(await shop.rates(parcel.id))[0]!.service });
    const waiting = must(
      await shop.get<{ data: { fee: { total: number } }[] }>("/pickups/waiting"),
      200,
    );
    expect(waiting.data).toMatchObject([{ carrier: "fedex", fee: { total: 0 } }]);
    const before = await shop.balanceCents();
    const pickup = must(
      await shop.post<{ data: { id: string } }>("/pickups", { shipment_ids: [parcel.id] }),
      201,
    );
    expect(pickup.data).toMatchObject({ status: "confirmed", cost: { total: 0 } });
    const freight = await shop.create(aFreight());
    const rate = (await shop.rates(freight.id)).data.find(
      ({ carrier }) => carrier.code === "tforce_freight",
    )!;
    expect(rate).toMatchObject({ billed_by: "carrier", total: 0 });
    await shop.bought(freight.id, { rate_id: rate.id });
    const cancelled = must(await shop.post<{ data: object }>(`/ltl/${freight.id}/cancel`, {}), 200);
    expect(cancelled.data).toMatchObject({ cancellation: { fee: 0 } });
    expect(await shop.balanceCents()).toBe(before);
    expect(await verifyLedger(world.db)).toEqual([]);
  });

  test("that is disabled gives way to the platform's, and its rates are not bought", async () => {
    await withoutPlatforms();
    const shop = await aShop();
    const own = await created(shop, { environment: undefined });
    const { id } = await shop.create(aShipment());
    const rate = ofFedex(await shop.rates(id))[0]!;
    must(await shop.patch(`${path}/${own.id}`, { status: "disabled" }), 200);
    expect(outcomeOf(await shop.buy(id, { rate_id: rate.id }))).toBe("422 validation_failed");
    const bought = await shop.bought(id, { service: rate.service });
    expect(bought.rate).toMatchObject({ billed_by: "platform", carrier_price: null });
  });
});

test("no planted secret is in any row of the database, a log line or an answer", async () => {
  const shop = await aShop();
  const planted = "sim_planted_in_everything_9X";
  const { id } = await created(shop, {
    environment: undefined,
    secrets: { api_key: planted },
  });
  const replies: Reply<unknown>[] = [
    await shop.post(path, {
      carrier: "fedex",
      name: "",
      secrets: { api_key: planted, b: planted },
    }),
    await shop.post(`${path}/${id}/test`, {}, { "idempotency-key": "t" }),
    await shop.post(`${path}/${id}/rotate`, { secrets: { api_key: planted } }),
    await shop.post(`${path}/${id}/rotate`, { secrets: { wrong: planted } }),
    await shop.get(path),
  ];
  await shop.rates((await shop.create(aShipment())).id);
  for (const { bytes } of replies) expect(bytes.toString()).not.toContain(planted);
  const last = must(await shop.get<{ data: unknown[] }>("/shipments"), 200);
  expect(last.data.length).toBeGreaterThan(0);
  const { rows: tables } = await sql<{ name: string }>`
    SELECT quote_ident(relname) AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`.execute(world.db);
  for (const { name } of tables) {
    const { rows } = await sql<{ found: number }>`
      SELECT count(*)::int AS found FROM ${sql.raw(name)} AS row WHERE row::text LIKE ${`%${planted}%`}`.execute(
      world.db,
    );
    expect([name, rows[0]!.found]).toEqual([name, 0]);
  }
});
