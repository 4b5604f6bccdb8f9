import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../../test/api.ts";
import { writeLog } from "../../../test/request-log.ts";
import { newId } from "../../domain/values/ids.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({});
});
afterAll(() => api.close());

const scopes = ["shipments:write", "logs:read", "tokens:manage"];
const address = {
  name: "Ada Tremblay",
  address1: "275 Rue Notre-Dame Est",
  city: "Montréal",
  province_code: "QC",
  postal_code: "H2Y 1C6",
  country_code: "CA",
};
const draft = {
  from_address: address,
  to_address: address,
  packages: [{ weight: 1.5, weight_unit: "kg" }],
};

interface Line {
  id: string;
  [field: string]: unknown;
}

async function aCaller(settings = {}) {
  const account = await anAccount(api, { settings });
  const token = await aToken(api, account, { scopes });
  const send = (
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: unknown,
    headers = {},
  ) => call(api, { token, method, path, body, headers });
  return {
    ...account,
    token,
    send,
    async lines(query = ""): Promise<Line[]> {
      await writeLog(api);
      const response = await send("GET", `/requests${query}`);
      expect(response.statusCode, response.body).toBe(200);
      return response.json<{ data: Line[] }>().data;
    },
    async line(id: string): Promise<Line> {
      return (await send("GET", `/requests/${id}`)).json<{ data: Line }>().data;
    },
  };
}

test("every call with a token is listed, newest first, with what it came to", async () => {
  const caller = await aCaller();
  const headers = { "x-request-id": "mine", "idempotency-key": "order-7" };
  const created = await caller.send("POST", "/shipments", draft, headers);
  const { id } = created.json<{ data: { id: string } }>().data;
  await caller.send("POST", "/shipments", draft, headers);
  await caller.send("GET", `/shipments/${id}?ada=tremblay`);
  await caller.send("GET", "/shipments?status=draft&q=Ada");
  await caller.send("GET", "/no/such/Ada");
  const [lost, list, one, replayed, first] = await caller.lines();
  expect(first).toEqual({
    id: expect.stringMatching(/^req_/) as string,
    request_id: "mine",
    at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    method: "POST",
    path: "/shipments",
    route: "/shipments",
    status: 201,
    ms: expect.any(Number) as number,
    actor: { type: "token", id: expect.stringMatching(/^tok_/) as string },
    idempotency_key: "order-7",
    is_replay: false,
    error_code: null,
    ip: "127.0.0.1",
  });
  expect(replayed).toMatchObject({ status: 201, is_replay: true, idempotency_key: "order-7" });
  expect(one).toMatchObject({ path: `/shipments/${id}`, route: "/shipments/{shipment_id}" });
  expect(list).toMatchObject({ path: "/shipments?status=…&q=…", status: 200 });
  expect(lost).toMatchObject({ path: "/…/…/…", route: null, status: 404, error_code: "not_found" });
});

test("one call is shown with its bodies: what is allowed, and nothing else", async () => {
  const caller = await aCaller();
  await caller.send("POST", "/shipments", { ...draft, Ada: "Tremblay" });
  await caller.send("POST", "/shipments", {
    ...draft,
    packages: [{ weight: -1, weight_unit: "kg" }],
  });
  const [refused, created] = await caller.lines();
  const { request_body, response_body } = await caller.line(created!.id);
  expect(request_body).toEqual({
    from_address: { ...hiddenAddress },
    to_address: { ...hiddenAddress },
    packages: [{ weight: 1.5, weight_unit: "kg" }],
    "…": "…",
  });
  expect(response_body).toMatchObject({
    data: { status: "draft", packages: [{ weight: 1.5 }], to_address: { name: "…", city: "…" } },
  });
  expect((await caller.line(refused!.id))["response_body"]).toEqual({
    error: {
      code: "validation_failed",
      message: "…",
      details: { "packages.0.weight": ["weight must be greater than 0."] },
    },
  });
});
const hiddenAddress = {
  name: "…",
  address1: "…",
  city: "…",
  province_code: "…",
  postal_code: "…",
  country_code: "CA",
};

test("reads that succeed keep no body, and an account may keep none at all", async () => {
  const silent = await aCaller({ request_log_bodies: "off" });
  await silent.send("POST", "/shipments", draft);
  const [line] = await silent.lines();
  expect(await silent.line(line!.id)).toMatchObject({ request_body: null, response_body: null });
  const caller = await aCaller();
  await caller.send("GET", "/shipments");
  const [read] = await caller.lines();
  expect(await caller.line(read!.id)).toMatchObject({ request_body: null, response_body: null });
});

test("lines are found by status, method, path, request, key, time and shipment", async () => {
  const caller = await aCaller();
  const headers = { "x-request-id": "find me", "idempotency-key": "key-1" };
  const created = await caller.send("POST", "/shipments", draft, headers);
  const { id } = created.json<{ data: { id: string } }>().data;
  await caller.send("GET", `/shipments/${id}`);
  await caller.send("DELETE", `/shipments/${id}`);
  await caller.send("GET", `/shipments/${id}`);
  await caller.send("GET", "/tokens");
  const found = async (query: string) =>
    (await caller.lines(query)).map(({ method, status }) => `${String(method)} ${String(status)}`);
  const all = ["GET 200", "GET 404", "DELETE 204", "GET 200", "POST 201"];
  expect(await found("?per_page=50")).toEqual(all);
  expect(await found("?status=404")).toEqual(["GET 404"]);
  expect(await found("?status=2xx&method=post")).toEqual(["POST 201"]);
  expect(await found("?path=/tokens")).toEqual(["GET 200"]);
  expect(await found("?path=/sandbox/api/v5/tokens")).toEqual(["GET 200"]);
  expect(await found("?request_id=find%20me")).toEqual(["POST 201"]);
  expect(await found("?idempotency_key=key-1")).toEqual(["POST 201"]);
  expect(await found(`?shipment_id=${id}`)).toEqual([
    "GET 404",
    "DELETE 204",
    "GET 200",
    "POST 201",
  ]);
  expect(await found("?to=2026-01-01")).toEqual([]);
  expect((await found("?from=2026-01-01")).length).toBeGreaterThan(5);
});

test("pages are walked by cursor without a gap or a repetition", async () => {
  const caller = await aCaller();
  for (let count = 0; count < 7; count++) await caller.send("GET", "/shipments");
  await writeLog(api);
  const seen: string[] = [];
  let cursor = "";
  do {
    const page = await caller.send("GET", `/requests?path=/shipments&per_page=2${cursor}`);
    const { data, meta } = page.json<{ data: Line[]; meta: { next_cursor: string | null } }>();
    seen.push(...data.map(({ id }) => id));
    cursor = meta.next_cursor === null ? "" : `&cursor=${meta.next_cursor}`;
  } while (cursor !== "");
  expect(seen).toHaveLength(7);
  expect(new Set(seen).size).toBe(7);
  expect(seen).toEqual(seen.toSorted().reverse());
});

test("a call whose body is nested ten thousand lists deep is in the log", async () => {
  const caller = await aCaller();
  const nested = `{"metadata":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  const refused = await caller.send("POST", "/shipments", nested);
  expect(refused.statusCode).toBe(422);
  expect(await caller.lines()).toMatchObject([{ method: "POST", path: "/shipments", status: 422 }]);
});

test("wrong filters are 422, each named; a line of another account is 404", async () => {
  const caller = await aCaller();
  const refused = await caller.send("GET", "/requests?status=9&from=soon&method=LOOK");
  expect(refused.statusCode).toBe(422);
  const { details } = refused.json<{ error: { details: object } }>().error;
  expect(Object.keys(details).sort()).toEqual(["from", "method", "status"]);
  const [line] = await caller.lines();
  const other = await aCaller();
  const theirs = await other.send("GET", `/requests/${line!.id}`);
  const nobodys = await other.send("GET", `/requests/${newId("req")}`);
  expect([theirs.statusCode, theirs.body]).toEqual([404, nobodys.body]);
});

test("a refused token is noted for the account that has it, and an unknown one for no account", async () => {
  const caller = await aCaller();
  const { account_id, environment } = caller;
  const gone = await aToken(
    api,
    { account_id, environment },
    { scopes, expires_at: new Date("2026-01-01") },
  );
  expect((await call(api, { token: gone, path: "/shipments" })).statusCode).toBe(401);
  const before = await count();
  await api.app.inject({ url: "/sandbox/api/v5/shipments" });
  expect(await count()).toBe(before);
  expect(await caller.lines("?status=401")).toMatchObject([{ error_code: "token_expired" }]);
});

async function count(): Promise<number> {
  await writeLog(api);
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM request_log`.execute(api.db);
  return rows[0]!.count;
}

test("a token that a call makes is in no line, nor is an unusual key", async () => {
  const caller = await aCaller();
  const secret = "Ada Tremblay <ada@example.com>";
  const made = await caller.send(
    "POST",
    "/tokens",
    { name: "Ada", scopes: ["rates:read"] },
    { "idempotency-key": secret },
  );
  expect(made.statusCode, made.body).toBe(201);
  const [line] = await caller.lines(`?idempotency_key=${encodeURIComponent(secret)}`);
  expect(line).toMatchObject({ idempotency_key: expect.stringMatching(/^sha256:/) as string });
  const shown = await caller.line(line!.id);
  expect(shown["response_body"]).toMatchObject({ data: { token: "…", name: "…" } });
});
