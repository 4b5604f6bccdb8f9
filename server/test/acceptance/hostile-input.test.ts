import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type Client, type DataOf, type Failure, type Reply } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Issue 2: bad input anywhere gets a clear 4xx and changes nothing; nothing but a bug gives 500. */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
  await account.create(aShipment());
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const depth = 20_000;

/** Bodies that no call accepts. */
const bodies: Record<string, string> = {
  "a number": "7",
  "a text": '"x"',
  true: "true",
  "a list of nothing": "[null, [], 7]",
  "no JSON": "{'a': 1}",
  "half an object": '{"a": ',
  "not a number": "NaN",
  "a byte order mark": "\ufeff7",
  "a NUL": "\u0000",
  "a list as deep as the sea": "[".repeat(depth) + "]".repeat(depth),
  "an object as deep as the sea": '{"to_address":'.repeat(depth) + "1" + "}".repeat(depth),
  "a prototype": '{"__proto__": {"to_address": 1}, "constructor": {"prototype": {}}, "amount": []}',
  "a number beyond doubles": '{"amount": 1e999, "weight": 1e999, "name": 1e999}',
  "every field of a wrong type":
    '{"type": 1, "to_address": "x", "packages": {}, "items": 1, "service": [], "rate_id": {}, "amount": "10", "name": 1, "scopes": "all", "reason": [], "weight": "1", "timeout": "5", "overlap_seconds": "1", "tags": 5, "metadata": [], "owner_email": 1, "suspended": "no", "tier": 7, "description": 1}',
  "broken text everywhere":
    '{"reference": "\\ud800", "name": "\\u0000", "reason": "\\udfff", "service": "\\u0000", "amount": "\\u0000", "address1": "\\u0000", "overlap_seconds": "\\u0000", "description": "\\u0000", "tier": "\\u0000"}',
  "a body beyond the limit": JSON.stringify({ reference: "x".repeat(6_000_000) }),
};

const ids = [
  "0",
  "-1",
  "%00",
  "%ff",
  "%zz",
  "%",
  "a".repeat(700),
  "..%2f..%2fetc%2fpasswd",
  "';%20DROP%20TABLE%20shipments;--",
  "%ED%A0%80",
  "%F0%9F%92%A9",
  "a%0d%0aSet-Cookie:%20a",
];

const queries = [
  "per_page=-1",
  "per_page=99999999999999999999",
  "per_page=%00",
  "page=0",
  "page=1&cursor=x",
  "cursor=%00",
  `cursor=${"A".repeat(4000)}`,
  "cursor=a&cursor=b",
  "cursor=%zz",
  "status='%20OR%201=1",
  "q=%00",
  "tag=%ED%A0%80",
  "created_from=2026-02-30T00:00:00Z",
  "created_to=never",
  "timeout=1e3",
];

interface Operation {
  method: string;
  path: string;
}

/** The operations in the API's document, and the operator's. */
async function allOperations(): Promise<[Client, Operation][]> {
  interface Document {
    paths: Record<string, Record<string, unknown>>;
  }
  const { paths } = must(await account.get<Document>("/openapi.json"), 200);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  expect(documented.length).toBeGreaterThan(20);
  const operators = [
    "POST /organizations",
    "GET /accounts/{id}",
    "PATCH /accounts/{id}",
    "PATCH /accounts/{id}/settings",
    "POST /accounts/{id}/adjustments",
    "GET /accounts/{id}/audit-log",
  ].map((line) => ({ method: line.split(" ")[0]!, path: line.split(" ")[1]! }));
  return [
    ...documented.map((each): [Client, Operation] => [account, each]),
    ...operators.map((each): [Client, Operation] => [world.operator, each]),
  ];
}

function expectClearRefusal(reply: Reply<unknown>, what: string): void {
  const { error } = (reply.body ?? {}) as Partial<Failure>;
  expect(reply.status, `${what}: ${reply.bytes.toString().slice(0, 300)}`).toBeGreaterThanOrEqual(
    400,
  );
  expect(reply.status, what).toBeLessThan(500);
  expect(error?.code, what).toMatch(/^[a-z_]+$/);
  expect(error?.message, what).toMatch(/\.$/);
}

/** Everything that a refused call could have changed. Only when a token was last used is written by any call. */
async function everything(): Promise<unknown> {
  const shown = [
    "/shipments?page=1",
    "/orders?page=1",
    "/credits/balance",
    "/credits/transactions?page=1",
    "/tokens?page=1",
  ];
  const replies = await Promise.all(shown.map((path) => account.get<DataOf<unknown>>(path)));
  const organizations = await world.operator.get<DataOf<unknown>>("/organizations");
  const shownData = [...replies, organizations].map((reply) => must(reply, 200).data);
  const isUsage = (name: string) => name === "last_used_at";
  return JSON.parse(
    JSON.stringify(shownData, (name, value: unknown) => (isUsage(name) ? undefined : value)),
  );
}

test("hostile bodies are refused by every operation that takes one, and change nothing", async () => {
  const before = await everything();
  for (const [client, { method, path }] of await allOperations()) {
    if (method === "GET" || method === "DELETE") continue;
    const id = client === account ? "shp_nobody" : account.account_id;
    const url = path.replace(/\{\w+\}/g, id);
    for (const [name, body] of Object.entries(bodies)) {
      const reply = await sendAs(client, method, url, body);
      expectClearRefusal(reply, `${method} ${path} with ${name}`);
    }
  }
  expect(await everything()).toEqual(before);
});

test("hostile ids are not found", async () => {
  for (const [client, { method, path }] of await allOperations()) {
    if (!path.includes("{")) continue;
    for (const id of ids) {
      const body = method === "GET" || method === "DELETE" ? undefined : '{"reference": 7}';
      const reply = await sendAs(client, method, path.replace(/\{\w+\}/g, id), body);
      expectClearRefusal(reply, `${method} ${path} of ${id.slice(0, 40)}`);
    }
  }
});

test("hostile query strings are refused where they are read, and ignored elsewhere", async () => {
  for (const [client, { method, path }] of await allOperations()) {
    // A stream that is opened does not end.
    if (method !== "GET" || path.endsWith("/stream")) continue;
    for (const query of queries) {
      const reply = await client.get(`${path.replace(/\{\w+\}/g, "x")}?${query}`);
      if (reply.status !== 200) expectClearRefusal(reply, `GET ${path}?${query.slice(0, 60)}`);
    }
  }
  // Only bytes that are no text at all pass, as the text that they are decoded to.
  const read = queries.filter((each) => !/^timeout|%ED%A0/.test(each));
  for (const query of read) {
    expect(outcomeOf(await account.get(`/shipments?${query}`)), query).toBe(
      "422 validation_failed",
    );
  }
});

test("an operator's empty change of an account is refused", async () => {
  const path = `/accounts/${account.account_id}`;
  for (const url of [path, `${path}/settings`])
    expect(outcomeOf(await world.operator.patch(url, {}))).toBe("422 validation_failed");
});

function sendAs(
  client: Client,
  method: string,
  path: string,
  body?: string,
): Promise<Reply<unknown>> {
  // Some operator calls are refused without a key before their body is read.
  if (method === "POST" && client === world.operator)
    return client.post(path, body, { "idempotency-key": randomUUID() });
  if (method === "POST") return client.post(path, body);
  if (method === "PUT") return client.put(path, body);
  if (method === "PATCH") return client.patch(path, body);
  return method === "DELETE" ? client.delete(path) : client.get(path);
}
