import type { Static } from "typebox";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { NearPlaces } from "../../src/resources/locations/near-schemas.ts";
import type { Failure } from "../client.ts";
import { ottawa } from "../shipments.ts";
import { anAccount, aPlatform, must, setDials, type TestAccount, type World } from "../world.ts";

/** Carriers are asked for their places, where the account has a connection with them (decisions 18 and 27). */

type Near = Static<typeof NearPlaces>;
let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform({ WAYBILL_RATE_TIMEOUT_SECONDS: "1" });
  for (const connection of connections)
    must(await world.operator.post("/carrier-connections", connection), 201);
  account = await anAccount(world);
});
afterEach(() => setDials(world, {}));
afterAll(() => world.close());

const of = { environment: "test", name: "Ours" };
const connections = [
  {
    ...of,
    carrier: "canada_post",
    values: { customer_number: "2004381", contract_id: "42708517" },
    secrets: { username: "key", password: "planted_secret_1" },
  },
  {
    ...of,
    carrier: "ups",
    values: { account_number: "A1B2C3", account_country: "CA" },
    secrets: { client_id: "planted_client_4", client_secret: "planted_secret_4" },
  },
];

async function near(query: string, of_whom = account): Promise<Near> {
  return must(await of_whom.get<Near>(`/locations/near${query}`), 200);
}

test("places of every carrier with a connection are listed, the nearest first", async () => {
  const { data, meta } = await near("?postal_code=K1A0A9&city=Ottawa");
  expect(new Set(data.map(({ carrier }) => carrier))).toEqual(new Set(["canada_post", "ups"]));
  const distances = data.map(({ distance_km }) => distance_km ?? Infinity);
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  expect(data[0]!.address.city).toBeTruthy();
  expect(meta).toEqual({ timeout_seconds: 1, excluded_carriers: [] });
});

test("one carrier, and so many of its places", async () => {
  const { data } = await near("?postal_code=K1A0A9&carrier=canada_post&limit=1");
  expect(data.map(({ carrier }) => carrier)).toEqual(["canada_post"]);
});

test("without a postal code the account's default sender is the middle", async () => {
  const shop = await anAccount(world);
  const bare = await shop.get<Failure>("/locations/near");
  expect([bare.status, Object.keys(bare.body.error.details)]).toEqual([422, ["postal_code"]]);
  const path = `/accounts/${shop.account_id}`;
  must(await world.operator.patch(path, { default_from_address: ottawa }), 200);
  expect((await near("?carrier=canada_post", shop)).data.length).toBeGreaterThan(0);
});

test("a carrier that does not answer in time is left out with the reason, and holds up no other", async () => {
  await setDials(world, { ups: { hang: true } });
  const begun = performance.now();
  const { data, meta } = await near("?postal_code=K1A0A9");
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(new Set(data.map(({ carrier }) => carrier))).toEqual(new Set(["canada_post"]));
  expect(meta.excluded_carriers).toMatchObject([
    { carrier: "ups", reason: "carrier_timeout", retryable: true },
  ]);
});

test("three refusals of the credentials in a row make the connection failing, and it is asked no more", async () => {
  const shop = await anAccount(world);
  const settings = `/accounts/${shop.account_id}/settings`;
  must(await world.operator.patch(settings, { own_carrier_accounts: true }), 200);
  const [, ups] = connections;
  const secrets = { client_id: "planted_client_5", client_secret: "wrong_secret_5" };
  const own = must(
    await shop.post<{ data: { id: string } }>("/carrier-connections", { ...ups, secrets }),
    201,
  );
  const asked = () => near("?postal_code=K1A0A9&carrier=ups", shop);
  for (let time = 0; time < 3; time++)
    expect((await asked()).meta.excluded_carriers).toMatchObject([
      { carrier: "ups", reason: "carrier_credentials_invalid", retryable: false },
    ]);
  const path = `/carrier-connections/${own.data.id}`;
  const { data } = must(await shop.get<{ data: { status: string } }>(path), 200);
  expect(data.status).toBe("failing");
  expect((await asked()).meta.excluded_carriers).toMatchObject([
    { carrier: "ups", reason: "carrier_credentials_invalid", retryable: false },
  ]);
});

test.each([
  ["a carrier without a connection", "?postal_code=K1A0A9&carrier=purolator", "carrier"],
  ["a carrier that cannot be asked", "?postal_code=K1A0A9&carrier=fedex", "carrier"],
  ["an unknown carrier", "?postal_code=K1A0A9&carrier=pigeon", "carrier"],
  ["no postal code", "?postal_code=nowhere", "postal_code"],
  ["one of another country", "?postal_code=K1A0A9&country_code=US", "postal_code"],
])("%s is 422", async (_name, query, field) => {
  const reply = await account.get<Failure>(`/locations/near${query}`);
  expect([reply.status, Object.keys(reply.body.error.details)]).toEqual([422, [field]]);
});
