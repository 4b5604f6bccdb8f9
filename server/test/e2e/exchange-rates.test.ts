import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { carrierRegister } from "../../src/carriers/register.ts";
import { canadaPost } from "../../src/carriers/canada-post/canada-post.ts";
import { simulatedCarrier } from "../../src/carriers/simulated/simulated-carrier.ts";
import { ups } from "../../src/carriers/ups/ups.ts";
import { exchanged } from "../../src/domain/values/exchange.ts";
import { toCents } from "../../src/domain/values/money.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { outcomeOf, type Failure, type Rates, type Reply } from "../client.ts";
import { aShipment, boston, notebooks, parcel } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** Amounts in other currencies than the account's, with exchange rates (decision 26). */

const today = new Date().toISOString().slice(0, 10);
const longAgo = "2020-01-02";

let world: World;
let account: TestAccount;
/** What the dollar carrier was told, in order. */
const asked: { currency: string | undefined; declared: unknown[]; items: unknown[] }[] = [];
beforeAll(async () => {
  world = await aPlatform({}, { carriers: (url) => carrierRegister([home(url), dollars(url)]) });
  account = await anAccount(world);
});
afterAll(() => world.close());

const home = (url: string) => simulatedCarrier(canadaPost, url);

/** The simulator's fee of a pickup by UPS. */
const fees = { USD: ups.pickups!.fee_cents["USD"]! };

/** UPS, billing in US dollars alone. */
function dollars(url: string): Carrier {
  const pickups = { ...ups.pickups!, fee_cents: fees };
  const carrier = simulatedCarrier({ ...ups, pickups, bills_in: "USD" }, url);
  return {
    ...carrier,
    quote(request, signal) {
      const { packages, items } = request.shipment;
      asked.push({
        currency: request.currency,
        declared: packages.map((each) => [each.declared_value, each.currency]),
        items: items.map(({ value, currency }) => [value, currency]),
      });
      return carrier.quote(request, signal);
    },
  };
}

interface StoredRate {
  id: string;
  rate: number;
  valid_from: string;
}
const rates = "/exchange-rates";
const put = (base: string, quote: string, rate: number, valid_from = longAgo) =>
  world.operator.post<{ data: StoredRate }>(rates, { base, quote, rate, valid_from });
const ofUps = ({ data }: Rates) => data.filter(({ carrier }) => carrier.code === "ups");
const exclusionsOf = ({ meta }: Rates) =>
  meta.excluded_services.filter(({ reason }) => reason === "currency_not_supported");
const detailsOf = (reply: Reply<unknown>) => (reply.body as Failure).error.details;

async function withoutRates(): Promise<void> {
  for (;;) {
    const { data } = must(await world.operator.get<{ data: StoredRate[] }>(rates), 200);
    if (data.length === 0) return;
    for (const { id } of data) must(await world.operator.delete(`${rates}/${id}`), 204);
  }
}

describe("the operator's exchange rates", () => {
  test("are listed, filtered, replaced by the same pair and day, and deleted", async () => {
    await withoutRates();
    const first = must(await put("USD", "CAD", 1.37), 201).data;
    expect(first).toMatchObject({ rate: 1.37, valid_from: longAgo, source: "manual" });
    const second = must(await put("USD", "CAD", 1.38), 201).data;
    expect(second).toMatchObject({ id: first.id, rate: 1.38 });
    must(await put("EUR", "CAD", 1.5), 201);
    const all = must(await world.operator.get<{ data: StoredRate[] }>(`${rates}?base=USD`), 200);
    expect(all.data).toMatchObject([{ id: first.id, rate: 1.38 }]);
    must(await world.operator.delete(`${rates}/${first.id}`), 204);
    expect(outcomeOf(await world.operator.delete(`${rates}/${first.id}`))).toBe("404 not_found");
  });

  test("name every failing field", async () => {
    const bad = { base: "USD", quote: "ZZZ", rate: 0, valid_from: "2026-02-30" };
    const reply = await world.operator.post(rates, bad);
    expect(outcomeOf(reply)).toBe("422 validation_failed");
    expect(Object.keys(detailsOf(reply)).sort()).toEqual(["quote", "rate", "valid_from"]);
    const same = await put("USD", "USD", 1.234567890123);
    expect(Object.keys(detailsOf(same)).sort()).toEqual(["quote", "rate"]);
  });
});

describe("a file of rates", () => {
  const bank = `"TERMS AND CONDITIONS"
"https://www.bankofcanada.ca/terms/"

"SERIES"
"id","label","description"
"FXEURCAD","EUR/CAD","European euro to Canadian dollar daily exchange rate"
"FXUSDCAD","USD/CAD","US dollar to Canadian dollar daily exchange rate"

"OBSERVATIONS"
"date","FXEURCAD","FXUSDCAD"
"2026-10-01","1.6211","1.3952"
"2026-10-02","","1.3970"
`;
  const bring = (format: string, content: string) =>
    world.operator.post(`${rates}/import`, { format, content });

  test("of the Bank of Canada is brought in, without the empty cells", async () => {
    await withoutRates();
    expect(must(await bring("bank_of_canada", bank), 200)).toEqual({
      data: {
        created: 3,
        updated: 0,
        unchanged: 0,
        first_day: "2026-10-01",
        last_day: "2026-10-02",
      },
    });
    const again = must(await bring("bank_of_canada", bank.replace("1.3970", "1.4")), 200);
    expect(again).toMatchObject({ data: { created: 0, updated: 1, unchanged: 2 } });
  });

  test("of our own form is brought in", async () => {
    const file =
      "valid_from,base,quote,rate\r\n2026-10-03,USD,CAD,1.41\r\n2026-10-03,CAD,EUR,0.62\r\n";
    expect(must(await bring("csv", file), 200)).toMatchObject({ data: { created: 2 } });
  });

  test("with bad rows changes nothing, and each is named", async () => {
    await withoutRates();
    const bad = bank
      .replace('"2026-10-02",""', '"2026-13-02","n/a"')
      .concat('"2026-10-05","1.6"\n"2026-10-01","1.62","1.39"\n');
    const reply = await bring("bank_of_canada", bad);
    expect(outcomeOf(reply)).toBe("422 validation_failed");
    expect(Object.keys(detailsOf(reply))).toEqual([
      ...["content.12.FXEURCAD", "content.12.date", "content.13"],
      ...["content.14.FXEURCAD", "content.14.FXUSDCAD"],
    ]);
    const plain = await bring(
      "csv",
      "base,quote,rate,valid_from\nUSD,CAD,1.4,2026-10-01\nUSD,USD,x,1.10.2026\nABC,CAD,1,2026-10-01\n",
    );
    expect(Object.keys(detailsOf(plain))).toEqual([
      ...["content.3.quote", "content.3.rate", "content.3.valid_from", "content.4.base"],
    ]);
    for (const [format, content] of [
      ["bank_of_canada", "<html>not found</html>"],
      ["bank_of_canada", '"OBSERVATIONS"\n"date","V39079"\n"2026-10-01","2.5"\n'],
      ["csv", "base,quote,rate\nUSD,CAD,1.4\n"],
      ["csv", "base,quote,rate,valid_from\n"],
    ] as const)
      expect(Object.keys(detailsOf(await bring(format, content)))).toEqual(["content"]);
    expect(must(await world.operator.get<{ data: unknown[] }>(rates), 200).data).toEqual([]);
  });

  test("with a day of the year 0 names its row", async () => {
    const plain = "base,quote,rate,valid_from\nUSD,GBP,0.5,2026-10-01\nUSD,GBP,0.5,0000-01-01\n";
    expect(Object.keys(detailsOf(await bring("csv", plain)))).toEqual(["content.3.valid_from"]);
    const table = '"date","FXUSDCAD"\n"0000-01-01","1.39"\n"0000-01-02",""\n';
    expect(Object.keys(detailsOf(await bring("bank_of_canada", table)))).toEqual([
      ...["content.2.date", "content.3.FXUSDCAD", "content.3.date"],
    ]);
  });

  test("is brought in beside others of the same days in other orders at once", async () => {
    await withoutRates();
    const days = Array.from({ length: 6000 }, (_, day) =>
      new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const file = (order: string[], rate: number) =>
      ["base,quote,rate,valid_from", ...order.map((day) => `USD,CAD,${rate},${day}`)].join("\n");
    const orders = Array.from({ length: 6 }, (_, place) =>
      place % 2 === 0 ? days : days.toReversed(),
    );
    const replies = await Promise.all(
      orders.map((order, place) => bring("csv", file(order, 1.3 + place / 100))),
    );
    expect(replies.map(({ status }) => status)).toEqual(orders.map(() => 200));
    await world.db.deleteFrom("exchange_rates").execute();
    // A write by the API makes the process forget the rates that it has read.
    must(await put("USD", "CAD", 1.4), 201);
  });
});

describe("a carrier that bills in another currency", () => {
  test("is excluded without an exchange rate, with a sentence, and not for a retry", async () => {
    await withoutRates();
    const { id } = await account.create(aShipment());
    const all = await account.rates(id);
    expect(ofUps(all)).toEqual([]);
    const excluded = exclusionsOf(all);
    expect(excluded.length).toBeGreaterThan(0);
    for (const { carrier, message, retryable } of excluded) {
      expect({ carrier, retryable }).toEqual({ carrier: "ups", retryable: false });
      expect(message).toMatch(
        /quoted in USD; the account pays in CAD, and there is no exchange rate/,
      );
    }
    const { service } = excluded[0]!;
    expect(outcomeOf(await account.buy(id, { service }))).toBe("422 unserviceable");
  });

  test("serves a CAD account at the day's rate, each amount converted by itself", async () => {
    await withoutRates();
    must(await put("USD", "CAD", 1.5, "2999-01-01"), 201);
    must(await put("USD", "CAD", 1.3712, today), 201);
    const entry = aShipment();
    const converted = ofUps(must(await account.post<Rates>("/rates", entry), 200));
    expect(converted.length).toBeGreaterThan(0);
    const american = await anAccount(world, { currency: "USD" });
    const own = ofUps(must(await american.post<Rates>("/rates", entry), 200));
    for (const rate of converted) {
      expect(rate.exchange).toEqual({ from: "USD", to: "CAD", rate: 1.3712, valid_from: today });
      expect(rate.currency).toBe("CAD");
      const plain = own.find(({ service }) => service === rate.service)!;
      expect(plain.exchange).toBeNull();
      expect(rate.surcharges.map(({ amount }) => toCents(amount))).toEqual(
        plain.surcharges.map(({ amount }) => exchanged(toCents(amount), 1.3712)),
      );
      expect(toCents(rate.subtotal) + toCents(rate.tax)).toBe(toCents(rate.total));
    }
  });

  test("is bought from at the quoted rate, whatever the rate becomes, and the books stay in one currency", async () => {
    await withoutRates();
    must(await put("USD", "CAD", 1.3712, today), 201);
    const { id } = await account.create(aShipment());
    const rate = ofUps(await account.rates(id))[0]!;
    must(await put("USD", "CAD", 2, today), 201);
    const before = await account.balanceCents();
    const bought = await account.bought(id, { rate_id: rate.id });
    expect(bought.exchange).toEqual(rate.exchange);
    expect(bought.cost).toMatchObject({ total: rate.total, currency: "CAD" });
    expect(before - (await account.balanceCents())).toBe(toCents(rate.total));
    const { carrier_cost_cents } = await world.db
      .selectFrom("shipments")
      .select("carrier_cost_cents")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(carrier_cost_cents!).toBeLessThan(toCents(rate.subtotal));
    must(await account.post(`/shipments/${id}/void`, {}), 200);
    await expect
      .poll(async () => (await account.show(id)).status, { timeout: 20_000 })
      .toBe("voided");
    await expect.poll(() => account.balanceCents(), { timeout: 20_000 }).toBe(before);
    expect(await problemsOfLedger()).toEqual([]);
  });

  test("costs more by the operator's margin, which is no cost in the books", async () => {
    await withoutRates();
    must(await put("USD", "CAD", 1.35, today), 201);
    const shop = await anAccount(world);
    const settings = `/accounts/${shop.account_id}/settings`;
    const plain = ofUps(must(await shop.post<Rates>("/rates", aShipment()), 200))[0]!;
    must(await world.operator.patch(settings, { exchange_margin_percent: 2 }), 200);
    const { id } = await shop.create(aShipment());
    const dearer = ofUps(await shop.rates(id)).find(({ service }) => service === plain.service)!;
    expect(dearer.exchange?.rate).toBe(1.377);
    expect(dearer.total).toBeGreaterThan(plain.total);
    await shop.bought(id, { rate_id: dearer.id });
    const payable = await world.db
      .selectFrom("ledger_entries")
      .select("amount_cents")
      .where("account_id", "=", shop.account_id)
      .where("book", "=", "carrier_payable")
      .executeTakeFirstOrThrow();
    const cheap = await anAccount(world);
    const same = await cheap.create(aShipment());
    await cheap.bought(same.id, { service: plain.service });
    const expected = await world.db
      .selectFrom("ledger_entries")
      .select("amount_cents")
      .where("account_id", "=", cheap.account_id)
      .where("book", "=", "carrier_payable")
      .executeTakeFirstOrThrow();
    expect(payable).toEqual(expected);
  });

  test("is told declared values and customs lines in its own currency", async () => {
    await withoutRates();
    must(await put("USD", "CAD", 1.25, today), 201);
    must(await put("EUR", "USD", 1.1, today), 201);
    const packages = [{ ...parcel, declared_value: 100, currency: "CAD" }];
    const items = [
      { ...notebooks, value: 10, currency: "CAD" },
      { ...notebooks, value: 10, currency: "EUR" },
    ];
    must(await account.post("/rates", aShipment({ to_address: boston, packages, items })), 200);
    expect(asked.at(-1)).toEqual({
      currency: "USD",
      declared: [[80, "USD"]],
      items: [
        [8, "USD"],
        [11, "USD"],
      ],
    });
  });

  test("has its pickups in the account's currency", async () => {
    await withoutRates();
    must(await put("USD", "CAD", 1.5, today), 201);
    const shop = await anAccount(world);
    const { id } = await shop.create(aShipment());
    await shop.bought(id, { rate_id: ofUps(await shop.rates(id))[0]!.id });
    const fee = fees["USD"];
    const before = await shop.balanceCents();
    const { data } = must(
      await shop.post<{ data: { cost: { subtotal: number; total: number } } }>("/pickups", {
        shipment_ids: [id],
      }),
      201,
    );
    expect(data).toMatchObject({ status: "confirmed" });
    expect(toCents(data.cost.subtotal)).toBe(exchanged(fee, 1.5));
    expect(before - (await shop.balanceCents())).toBe(toCents(data.cost.total));
    expect(await problemsOfLedger()).toEqual([]);
  });

  test("serves an account in its own currency without a rate", async () => {
    await withoutRates();
    const american = await anAccount(world, { currency: "USD" });
    const rates = must(await american.post<Rates>("/rates", aShipment()), 200);
    expect(ofUps(rates).every(({ currency }) => currency === "USD")).toBe(true);
    expect(ofUps(rates).length).toBeGreaterThan(0);
  });
});

describe("a value declared in another currency", () => {
  const protectionOf = (rate: Rates["data"][number]) =>
    rate.add_ons.find(({ code }) => code === "protection");

  test("is covered at the day's rate, without the margin", async () => {
    await withoutRates();
    must(await put("CAD", "USD", 0.8, today), 201);
    const shop = await anAccount(world);
    const settings = `/accounts/${shop.account_id}/settings`;
    must(await world.operator.patch(settings, { exchange_margin_percent: 10 }), 200);
    const packages = [{ ...parcel, declared_value: 800, currency: "USD" }];
    const { id, add_ons } = await shop.create(aShipment({ packages, add_ons: ["protection"] }));
    expect(add_ons).toEqual(["protection"]);
    const all = await shop.rates(id);
    const covered = all.data.flatMap((rate) => protectionOf(rate) ?? []);
    expect(covered.length).toBeGreaterThan(0);
    // 1.5 % of 1,000.00.
    for (const { price } of covered) expect(price.subtotal).toBe(15);
    const bought = await shop.bought(id, { service: "cheapest" });
    expect(bought.rate.add_ons.find(({ code }) => code === "protection")?.selected).toBe(true);
    must(await put("CAD", "USD", 0.4, today), 201);
  });

  test("counts against a service's limit", async () => {
    await withoutRates();
    must(await put("USD", "CAD", 1000, today), 201);
    const packages = [{ ...parcel, declared_value: 800, currency: "USD" }];
    const all = must(await account.post<Rates>("/rates", aShipment({ packages })), 200);
    expect(all.data).toEqual([]);
    expect(all.meta.excluded_services[0]).toMatchObject({
      reason: "declared_value_exceeded",
      message: expect.stringContaining("800000.00 CAD") as string,
    });
  });
});

async function problemsOfLedger() {
  return verifyLedger(world.db);
}
