import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baseOf } from "../../src/http/authenticate.ts";
import { normaliseAddress } from "../../src/domain/addresses/address-rules.ts";
import { inTransaction } from "../../src/database/connect.ts";
import { json, type Database } from "../../src/database/tables.ts";
import { allows, knownScopes, type Scope } from "../../src/domain/accounts/scopes.ts";
import { roles, scopesOf } from "../../src/domain/accounts/roles.ts";
import { newId, type IdPrefix } from "../../src/domain/values/ids.ts";
import { hashToken } from "../../src/http/tokens.ts";
import { placer } from "../../src/events/feed/place.ts";
import { post } from "../../src/ledger/ledger.ts";
import { aToken, anAccount, call, testApi, type TestApi } from "../api.ts";
import { writeLog } from "../request-log.ts";
import { aMember, anOrganization, signedIn } from "../people.ts";
import { operationsOf, sampleBody, type Operation } from "../operations.ts";

/**
 * Properties of every operation under a base address, read from the document: one that is added later
 * is tested as well, or fails here until `makers` has its resource.
 */

/** How an account gets a resource of its own that a path can name, by the path's parameter. */
const makers: Record<string, { prefix: IdPrefix; make(token: string): Promise<string> }> = {
  shipment_id: {
    prefix: "shp",
    make: (token) =>
      create(token, "/shipments", {
        from_address: address,
        to_address: address,
        packages: [parcel],
      }),
  },
  batch_id: {
    prefix: "bat",
    make: async (token) =>
      create(token, "/batches", {
        name: "Theirs",
        shipment_ids: [await makers["shipment_id"]!.make(token)],
      }),
  },
  order_id: {
    prefix: "ord",
    make: (token) => create(token, "/orders", { order_number: newId("ord"), to_address: address }),
  },
  pickup_id: {
    prefix: "pku",
    // No carrier answers here that could do the pickup.
    async make(token) {
      const shipmentId = await makers["shipment_id"]!.make(token);
      const { account_id } = await api.db
        .selectFrom("shipments")
        .select("account_id")
        .where("id", "=", shipmentId)
        .executeTakeFirstOrThrow();
      return aPickupRow(api.db, account_id);
    },
  },
  manifest_id: {
    prefix: "man",
    // No carrier answers here that could make it.
    async make(token) {
      const id = newId("man");
      const shipmentId = await makers["shipment_id"]!.make(token);
      await sql`
        INSERT INTO manifests (account_id, id, carrier, status, created_at, updated_at)
        SELECT account_id, ${id}, 'canada_post', 'failed', now(), now()
        FROM shipments WHERE id = ${shipmentId}`.execute(api.db);
      return id;
    },
  },
  statement_id: {
    prefix: "stm",
    // No worker runs here that would open one. Each is of another month, as an account's are.
    async make(token) {
      const id = newId("stm");
      const shipmentId = await makers["shipment_id"]!.make(token);
      await sql`
        INSERT INTO statements (account_id, id, number, time_zone, ends_at, currency, status, after_sequence,
          through_sequence, opening_cents, closing_cents, created_at)
        SELECT account_id, ${id}, to_char(date '2026-01-01' + ${(months += 1)}::int * interval '1 month', 'YYYY-MM'), 'UTC', now(), 'CAD', 'open', 0, 0, 0, 0, now()
        FROM shipments WHERE id = ${shipmentId}`.execute(api.db);
      return id;
    },
  },
  // No worker runs here that would place it.
  event_id: {
    prefix: "evt",
    async make(token) {
      const { account_id } = await api.db
        .selectFrom("tokens")
        .select("account_id")
        .where("token_hash", "=", hashToken(token))
        .executeTakeFirstOrThrow();
      const place = placer(api.db);
      while ((await place()).count > 0);
      const told = await api.db
        .selectFrom("events")
        .select("id")
        .where("account_id", "=", account_id)
        .where("type", "=", "token.created")
        .executeTakeFirstOrThrow();
      return told.id;
    },
  },
  connection_id: {
    prefix: "con",
    make: (token) =>
      create(token, "/carrier-connections", {
        carrier: "fedex",
        name: "Theirs",
        secrets: { api_key: "sim_of_this_test" },
      }),
  },
  filter_id: {
    prefix: "flt",
    make: (token) => create(token, "/filters", filter(`Heavy ${newId("flt")}`)),
  },
  sku: {
    prefix: "prd",
    async make(token) {
      await letProductsBeCreated(token);
      const sku = newId("prd");
      await create(token, "/products", { sku, title: "Theirs" });
      return sku;
    },
  },
  import_id: {
    prefix: "imp",
    async make(token) {
      const body = { format: "json", products: [{ sku: newId("prd"), title: "Theirs" }] };
      const response = await call(api, { token, method: "POST", path: "/imports/products", body });
      expect(response.statusCode, response.body).toBe(202);
      return response.json<{ data: { id: string } }>().data.id;
    },
  },
  rule_id: { prefix: "rul", make: (token) => create(token, "/rules", rule) },
  // No label is bought here, so the tracker is inserted by hand, under a code that is its id.
  tracking_code: {
    prefix: "trk",
    async make(token) {
      const shipment_id = await makers["shipment_id"]!.make(token);
      const id = newId("trk");
      await sql`
        INSERT INTO trackers (account_id, id, shipment_id, carrier, tracking_code, status, created_at)
        SELECT account_id, ${id}, id, 'ups', ${id}, 'pre_transit', now() FROM shipments WHERE id = ${shipment_id}`.execute(
        api.db,
      );
      return id;
    },
  },
  // There is no card processor here.
  transaction_id: {
    prefix: "txn",
    async make(token) {
      const shipment_id = await makers["shipment_id"]!.make(token);
      const { account_id } = await api.db
        .selectFrom("shipments")
        .select("account_id")
        .where("id", "=", shipment_id)
        .executeTakeFirstOrThrow();
      await api.db
        .insertInto("balances")
        .values({ account_id, currency: "CAD" })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const posted = await inTransaction(api.db, (tx) =>
        post(tx, {
          id: newId("txn"),
          account_id,
          type: "adjustment",
          subtotal_cents: 100,
          tax_cents: 0,
          currency: "CAD",
          description: "Theirs",
          shipment_id: null,
          entries: [
            { book: "credits", amount_cents: 100 },
            { book: "adjustments", amount_cents: -100 },
          ],
          at: new Date(),
        }),
      );
      return posted.transaction_id;
    },
  },
  request_log_id: {
    prefix: "req",
    async make(token) {
      await call(api, { token, path: "/requests" });
      await writeLog(api);
      const response = await call(api, { token, path: "/requests?per_page=1" });
      return response.json<{ data: { id: string }[] }>().data[0]!.id;
    },
  },
  address_id: {
    prefix: "adr",
    make: (token) => create(token, "/addresses", { label: "Theirs", address, uses: ["to"] }),
  },
  preset_id: {
    prefix: "pst",
    make: (token) => create(token, "/package-presets", { name: newId("pst") }),
  },
  payment_method_id: {
    prefix: "pm",
    async make(token) {
      const body = { card: "pm_card_visa" };
      return create(token, "/credits/payment-methods", body);
    },
  },
  token_id: {
    prefix: "tok",
    make: (token) => create(token, "/tokens", { name: "Theirs", scopes: ["rates:read"] }),
  },
  webhook_id: {
    prefix: "whk",
    // A public address, and no name that has to be looked up.
    make: (token) =>
      create(token, "/webhooks", { url: "https://93.184.215.14/hooks", types: ["*"] }),
  },
  delivery_id: {
    prefix: "dlv",
    async make(token) {
      const path = `/webhooks/${await makers["webhook_id"]!.make(token)}/test`;
      const response = await call(api, { token, method: "POST", path });
      expect(response.statusCode, response.body).toBe(202);
      return response.json<{ data: { id: string } }>().data.id;
    },
  },
};

let months = 0;

async function aPickupRow(db: Database, account_id: string): Promise<string> {
  const id = newId("pku");
  const now = new Date();
  const stop = { date: "2026-10-06", ready_time: "09:00", close_time: "17:00" };
  const row = { account_id, id, status: "failed" as const, shipment_ids: [], ...stop };
  await db
    .insertInto("pickups")
    .values({
      ...row,
      address: json(normaliseAddress(address)),
      contact: json({ name: null, phone: null, email: null }),
      currency: "CAD",
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

const filter = (name: string) => ({
  name,
  target: "shipments",
  criteria: {
    match: "all",
    conditions: [{ field: "tags", operator: "contains", value: "heavy" }],
  },
});

const rule = {
  name: "Tag",
  enabled: true,
  priority: 1,
  trigger: "shipment.created",
  actions: [{ type: "add_tag", tag: "seen" }],
  stop_processing: false,
};

const address = {
  name: "Ada Tremblay",
  address1: "275 Rue Notre-Dame Est",
  city: "Montréal",
  province_code: "QC",
  postal_code: "H2Y 1C6",
  country_code: "CA",
};
const parcel = { weight: 1, weight_unit: "kg" };

/** Bodies of operations whose schema alone does not determine a valid one. */
const bodies: Record<string, unknown> = {
  updateAccount: {
    preferences: { auto_recharge: null },
  },
  replaceFilter: filter("Heavy"),
  createRule: rule,
  replaceRule: rule,
  previewFilter: filter("Heavy"),
  testRule: {
    shipment: { from_address: address, to_address: address, packages: [parcel] },
  },
  testNewRule: {
    rule,
    shipment: { from_address: address, to_address: address, packages: [parcel] },
  },
  buyLabel: { service: "canada_post.expedited_parcel" },
  updateCarrierConnection: { name: "Ours" },
};

// The operations are read before the tests are named, so that each has a name of its own.
const api: TestApi = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
const operations = await operationsOf(api.app, baseOf.test);
let full: string;
/** So that each operation is reached: what only the operator lets an account do. */
const switchedOn = { own_carrier_accounts: true };

beforeAll(async () => {
  await sql`ALTER TABLE accounts ALTER COLUMN settings SET DEFAULT ${sql.lit(json(switchedOn))}::jsonb`.execute(
    api.db,
  );
  full = await aToken(api, await anAccount(api, { settings: switchedOn }), {
    scopes: [...knownScopes],
  });
});
afterAll(() => api.close());

async function create(token: string, path: string, body: unknown): Promise<string> {
  const response = await call(api, { token, method: "POST", path, body });
  expect(response.statusCode, response.body).toBe(201);
  return response.json<{ data: { id: string } }>().data.id;
}

/** Set for the tokens' account in the database, since there is no operator here. */
async function letProductsBeCreated(token: string): Promise<void> {
  await api.db
    .updateTable("accounts")
    .set({ settings: json({ ...switchedOn, products_api_create: true }) })
    .where("account_id", "in", (tokens) =>
      tokens.selectFrom("tokens").select("account_id").where("token_hash", "=", hashToken(token)),
    )
    .execute();
  api.platform.callers.forget();
}

test("the document has the operations of both base addresses", async () => {
  expect(operations.length).toBeGreaterThan(15);
  const live = await operationsOf(api.app, baseOf.live);
  expect(live.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
});

describe("without a token", () => {
  test.each(operations)("$name is 401", async ({ method, path }) => {
    for (const base of Object.values(baseOf)) {
      const response = await api.app.inject({ method, url: base + path });
      expect([response.statusCode, response.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      expect(response.json<{ error: { code: string } }>().error.code).toBe("unauthenticated");
    }
  });
});

describe("with a token of every scope but those that open it", () => {
  test.each(operations.filter(({ scopes }) => scopes.length > 0))(
    "$name is 403",
    async ({ method, path, scopes }) => {
      const others = knownScopes.filter((scope) => !allows([scope], scopes as Scope[]));
      expect(others.length).toBeGreaterThan(10);
      const token = await aToken(api, await anAccount(api, { settings: switchedOn }), {
        scopes: others,
      });
      const response = await call(api, { token, method, path });
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({
        error: {
          code: "scope_missing",
          details: { required_scopes: scopes, token_scopes: others },
        },
      });
    },
  );
});

describe("for another account's resource", () => {
  test.each(operations.filter(({ parameters }) => parameters.length > 0))(
    "$name answers as if it did not exist, to the byte",
    async (operation) => {
      const owner = await aToken(api, await anAccount(api, { settings: switchedOn }), {
        scopes: [...knownScopes],
      });
      const theirs = await send(operation, (parameter) => originOf(parameter).make(owner));
      const nobodys = await send(operation, async (parameter) => newId(originOf(parameter).prefix));
      expect([theirs.statusCode, nobodys.statusCode]).toEqual([404, 404]);
      expect(theirs.rawPayload.equals(nobodys.rawPayload)).toBe(true);
      expect(Object.keys(theirs.headers)).toEqual(Object.keys(nobodys.headers));
    },
  );
});

test.each(Object.keys(makers))(
  "the resource for %s really exists for its owner",
  async (parameter) => {
    const id = await originOf(parameter).make(full);
    const read = operations.find(
      ({ method, path, parameters }) =>
        method === "GET" && path.endsWith(`/{${parameter}}`) && parameters.length === 1,
    );
    const response = await call(api, {
      token: full,
      path: read!.path.replace(`{${parameter}}`, id),
    });
    const { data } = response.json<{ data: { id?: string; sku?: string } }>();
    expect([response.statusCode, data.id ?? data.sku]).toEqual([200, id]);
  },
);

function originOf(parameter: string) {
  const maker = makers[parameter];
  if (!maker)
    throw new Error(
      `Say in makers how an account gets a ${parameter}, so that its operations can be tested.`,
    );
  return maker;
}

describe("with a token that lacks a scope which the verb may need as well", () => {
  const some = operations.filter(({ scopes_besides }) => scopes_besides.length > 0);
  test.each(some)("$name replays no other token's response", async (operation) => {
    const account = await anAccount(api, { settings: switchedOn });
    const wide = await aToken(api, account, { scopes: [...knownScopes] });
    const ids = new Map<string, string>();
    const idOf = async (parameter: string) => {
      if (!ids.has(parameter)) ids.set(parameter, await originOf(parameter).make(wide));
      return ids.get(parameter)!;
    };
    const key = newId("tok");
    const first = await send(operation, idOf, { token: wide, key });
    expect(first.statusCode).toBeLessThan(300);
    expect((await send(operation, idOf, { token: wide, key })).rawPayload).toEqual(
      first.rawPayload,
    );
    for (const lacking of operation.scopes_besides) {
      const others = knownScopes.filter((scope) => !allows([scope], [lacking as Scope]));
      const narrow = await aToken(api, account, { scopes: others });
      const answer = await send(operation, idOf, { token: narrow, key });
      expect([answer.statusCode, answer.headers["idempotent-replay"]]).toEqual([409, undefined]);
    }
  });
});

describe("where the response shows a secret", () => {
  const some = operations.filter(({ shows_secret }) => shows_secret);

  test("there are such operations", () => {
    expect(some.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["createToken", "rotateToken"]) as string[],
    );
  });

  test.each(some)("$name keeps it sealed, for the requesting token alone", async (operation) => {
    const account = await anAccount(api, { settings: switchedOn });
    const asking = await aToken(api, account, { scopes: [...knownScopes] });
    const equal = await aToken(api, account, { scopes: [...knownScopes] });
    const [parameter = "token_id"] = operation.parameters;
    const id = await originOf(parameter).make(asking);
    const key = newId("tok");
    const send_ = (token: string) => send(operation, async () => id, { token, key });
    const first = await send_(asking);
    expect(first.statusCode, first.body).toBeLessThan(300);
    const stored = await api.db
      .selectFrom("idempotency_keys")
      .select(["body", "sealed_body"])
      .where("key", "=", key)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ body: null, sealed_body: expect.stringMatching(/^v1\./) as string });
    expect((await send_(asking)).body).toBe(first.body);
    expect((await send_(equal)).statusCode).toBe(409);
  });
});

describe.each(roles)("with the session of a member who is %s", (role) => {
  const opens = ({ scopes }: Operation) => allows(scopesOf(role, "test"), scopes as Scope[]);
  const visitor = async () => signedIn(api, await aMember(api, await anOrganization(api), role));
  const ask = async (
    browser: Awaited<ReturnType<typeof visitor>>,
    operation: Operation,
    idOf: (parameter: string) => string,
  ) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name));
    const body = bodies[operation.name] ?? sampleBody(operation);
    return browser.send(operation.method, baseOf.test + path, body);
  };

  test("every operation is open exactly where the role's scopes open it", async () => {
    const browser = await visitor();
    // A stream that is open does not end.
    const asked = operations.filter((each) => !each.is_stream || !opens(each));
    for (const operation of asked) {
      // A scope of LTL alone opens a shared path for freight only (`e2e/ltl-entries`).
      const besidesLtl = operation.scopes.filter((scope) => !scope.startsWith("ltl:")) as Scope[];
      if (opens(operation) && !allows(scopesOf(role, "test"), besidesLtl)) continue;
      const answer = await ask(browser, operation, (name) => newId(originOf(name).prefix));
      const { code } = answer.body === "" ? {} : (answer.json<Refusal>().error ?? {});
      expect([operation.name, code === "scope_missing"]).toEqual([
        operation.name,
        !opens(operation),
      ]);
      expect(answer.statusCode, operation.name).not.toBe(401);
    }
  });

  test("another organization's resource answers as if it did not exist, to the byte", async () => {
    const browser = await visitor();
    const theirs = new Map<string, string>();
    for (const operation of operations.filter(
      (each) => opens(each) && each.parameters.length > 0,
    )) {
      for (const name of operation.parameters)
        if (!theirs.has(name)) theirs.set(name, await originOf(name).make(full));
      const answers = [
        await ask(browser, operation, (name) => theirs.get(name)!),
        await ask(browser, operation, (name) => newId(originOf(name).prefix)),
      ];
      expect(answers.map(({ statusCode }) => [operation.name, statusCode])).toEqual(
        answers.map(() => [operation.name, 404]),
      );
      expect(answers[0]!.rawPayload.equals(answers[1]!.rawPayload), operation.name).toBe(true);
    }
  });
});

interface Refusal {
  error?: { code?: string };
}

test("no verb checks scopes but through what its route states", () => {
  const src = join(import.meta.dirname, "../../src");
  const judging = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter(
      (path) =>
        path.endsWith(".ts") && !/\.test\.ts$|^http\/|^domain\/accounts\/scopes\.ts$/.test(path),
    )
    .filter((path) =>
      /\b(requireScope|allows|implies)\(|token\.scopes/.test(readFileSync(join(src, path), "utf8")),
    );
  expect(judging.sort()).toEqual(
    [
      // An approval of a program, which no key replays.
      "resources/auth/device.ts",
      // By the account's ceiling: its responses are replayed to the token that asked, and to no other.
      "resources/tokens/create-token.ts",
      // By `ltl_only`, which is part of a key's fingerprint.
      "shipping/shipments/type-scope.ts",
      // Of reads, whose responses are stored for no key.
      "resources/counts/count.ts",
      "shipping/timeline/timeline.ts",
    ].sort(),
  );
});

async function send(
  operation: Operation,
  idOf: (parameter: string) => Promise<string>,
  { token = full, key }: { token?: string; key?: string } = {},
) {
  let { path } = operation;
  for (const parameter of operation.parameters)
    path = path.replace(`{${parameter}}`, await idOf(parameter));
  const body = bodies[operation.name] ?? sampleBody(operation);
  return call(api, {
    token,
    method: operation.method,
    path,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
    ...(body === undefined ? {} : { body }),
  });
}
