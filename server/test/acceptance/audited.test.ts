import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../src/domain/values/ids.ts";
import type { DataOf, Row } from "../client.ts";
import { readOperations, type Document, type Operation } from "../operations.ts";
import { aPlatform, must, type TestAccount, type World } from "../world.ts";
import { aShop, ask } from "./makers.ts";

/**
 * Every change of a request is recorded with its actor and request id, in the commit of the change: by one
 * audit log entry, or by the attempt at its outside effect and the events of that attempt's end. The
 * operations are read from the OpenAPI document, so that a new one fails here until it is recorded.
 */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
  // Placing an event in its feed moves it, in another transaction.
  await sql`
    CREATE TABLE written_events (
      account_id text, id text, type text, subject_id text, data jsonb, actor text, request_id text);
    CREATE FUNCTION note_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO written_events
        SELECT (jsonb_populate_recordset(NULL::written_events, NEW.events)).*;
        UPDATE written_events SET account_id = NEW.account_id WHERE account_id IS NULL;
        RETURN NULL;
      END $$;
    CREATE TRIGGER noted AFTER INSERT ON event_outbox FOR EACH ROW EXECUTE FUNCTION note_events()`.execute(
    world.db,
  );
});
afterAll(() => world.close());

/** POST operations that change nothing. */
const asking = [
  "getRates",
  "estimateRates",
  "validateAddress",
  "previewFilter",
  "testRule",
  "testNewRule",
];

/** Have an outside effect. */
const attempting = [
  "buyLabel",
  "createAndBuyLabel",
  "voidShipment",
  "deleteShipment",
  "cancelBooking",
  "createManifest",
  "schedulePickup",
  "cancelPickup",
  "topUpCredits",
];

/** The actions of operations whose audit log entries are not named after them. */
const actionsOf: Record<string, string[]> = {
  createToken: ["token.created"],
  revokeToken: ["token.revoked"],
  // One for each of the two tokens.
  rotateToken: ["token.created", "token.revoked"],
  approveClassification: ["product.approved"],
  rejectClassification: ["product.rejected"],
};

interface Recorded {
  account_id: string;
  actor: string | null;
  request_id: string | null;
  xmin: string;
  what: string;
  subject_id: string;
  details: { subject_ids?: string[] };
}

async function recorded(
  table: "audit_log" | "written_events" | "attempts",
  requestId: string,
): Promise<Recorded[]> {
  const what = { audit_log: "action", written_events: "type", attempts: "kind" }[table];
  const details = { audit_log: "details", written_events: "data", attempts: "input" }[table];
  const { rows } = await sql<Recorded>`
    SELECT account_id, actor, request_id, xmin::text, ${sql.ref(what)} AS what, subject_id, ${sql.ref(details)} AS details
    FROM ${sql.table(table)} WHERE request_id = ${requestId} ORDER BY ${sql.ref(what)}`.execute(
    world.db,
  );
  return rows;
}

/** The transaction that stored the response of the request with this key, which is that of its effect. */
async function answeredIn(account: TestAccount, key: string): Promise<string> {
  const { rows } = await sql<{ xmin: string }>`
    SELECT xmin::text FROM idempotency_keys
    WHERE account_id = ${account.account_id} AND key = ${key} AND status IS NOT NULL`.execute(
    world.db,
  );
  return rows[0]!.xmin;
}

async function actorOf({ token }: TestAccount): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM tokens WHERE token_hash = sha256(${token}::bytea)`.execute(world.db);
  return `token:${rows[0]!.id}`;
}

/** The id of what was changed, from the response or the path. */
function subjectsOf(path: string, body: unknown): string[] {
  const { data } = (body ?? {}) as Partial<DataOf<{ id?: string; sku?: string } | Row[]>>;
  const inPath = path.split("/").map(decodeURIComponent);
  if (Array.isArray(data))
    return data.flatMap((row) => (row.status === "created" ? [row.data.id] : []));
  return [...inPath, ...[data?.id, data?.sku].filter((id) => id !== undefined)];
}

async function askRecorded(account: TestAccount, operation: Operation, body: unknown) {
  const request = `the client's own ${newId("evt")}`;
  const headers = { "x-request-id": request, "idempotency-key": request };
  const reply = await ask(world, account, { operation, body, headers });
  const said = `${operation.name}: ${reply.bytes.toString().slice(0, 500)}`;
  expect(reply.status, said).toBeLessThan(300);
  expect(reply.headers["request-id"]).toBe(request);
  const [lines, events, attempts] = [
    await recorded("audit_log", request),
    await recorded("written_events", request),
    await recorded("attempts", request),
  ];
  const actor = await actorOf(account);
  const all = [...lines, ...events, ...attempts];
  for (const each of all)
    expect([each.account_id, each.actor], said).toEqual([account.account_id, actor]);
  const committed = await answeredIn(account, request);
  return { lines, events, attempts, committed, said, reply };
}

async function operationsThatMayChange(): Promise<Operation[]> {
  const document = must(await (await aShop(world)).get<Document>("/openapi.json"), 200);
  return readOperations(document).filter(({ method }) => method !== "GET");
}

test("every change is recorded with its actor and request id, in the commit of the change", async () => {
  const operations = await operationsThatMayChange();
  expect(operations.length).toBeGreaterThan(35);
  for (const operation of operations) {
    const { name, examples } = operation;
    const bodies = examples.length > 0 ? examples.map(({ value }) => value) : [undefined];
    for (const body of bodies) {
      const account = await aShop(world);
      const found = await askRecorded(account, operation, body);
      const { lines, events, attempts, committed, said, reply } = found;
      if (asking.includes(name)) {
        expect([...lines, ...events, ...attempts], said).toEqual([]);
      } else if (attempting.includes(name)) {
        expect(attempts.length, said).toBeGreaterThan(0);
        expect(
          events.map(({ xmin }) => xmin),
          said,
        ).toContain(committed);
      } else if (lines.length === 0) {
        // Goods without a product: nothing of them is stored.
        expect(["classifyProduct", "verifyManufacturer"], said).toContain(name);
        expect([JSON.stringify(body).includes('"sku"'), events], said).toEqual([false, []]);
      } else {
        expect(
          lines.map(({ what }) => what),
          said,
        ).toEqual(actionsOf[name] ?? [name]);
        for (const { xmin } of lines) expect(xmin, said).toBe(committed);
        const [{ subject_id, details }] = lines as [Recorded];
        const subjects = subjectsOf(reply.path, reply.body);
        expect(subjects.length, said).toBeGreaterThan(0);
        if (details.subject_ids) expect(details.subject_ids, said).toEqual(subjects);
        else if (body && (body as { sku?: string }).sku)
          expect(subject_id, said).toBe((body as { sku: string }).sku);
        else expect(subjects, said).toContain(subject_id);
      }
    }
  }
}, 300_000);

test("a change that is replayed by its key is recorded once", async () => {
  const account = await aShop(world);
  const headers = { "idempotency-key": "once" };
  const body = { name: "CI", scopes: ["rates:read"] };
  must(await account.post("/tokens", body, { ...headers, "x-request-id": "first" }), 201);
  must(await account.post("/tokens", body, { ...headers, "x-request-id": "again" }), 201);
  expect(await recorded("audit_log", "first")).toHaveLength(1);
  expect(await recorded("audit_log", "again")).toEqual([]);
});

test("a refused request is not recorded", async () => {
  const account = await aShop(world);
  const headers = { "x-request-id": "refused" };
  const reply = await account.post("/tokens", { name: "CI", scopes: ["nothing:at-all"] }, headers);
  expect(reply.status).toBe(422);
  expect(await recorded("audit_log", "refused")).toEqual([]);
});

test("a token that is sent as a request id is not recorded", async () => {
  const account = await aShop(world);
  const headers = { "x-request-id": account.token };
  must(await account.post("/tokens", { name: "CI", scopes: ["rates:read"] }, headers), 201);
  const { rows } = await sql<{ request_id: string }>`
    SELECT request_id FROM audit_log
    WHERE account_id = ${account.account_id} AND action = 'token.created' AND actor LIKE 'token:%'`.execute(
    world.db,
  );
  expect(rows).toEqual([{ request_id: "wb_test_…" }]);
});
