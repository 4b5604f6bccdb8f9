import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../test/api.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { DataOf, type Routes } from "./routes.ts";
import { newToken } from "./tokens.ts";

const Note = Type.Object({
  text: Type.String({ maxLength: 5 }),
  count: Type.Optional(Type.Integer()),
});
const routes: Routes = async (app) => {
  app.get(
    "/notes/:note_id",
    {
      config: { scopes: ["shipments:read"] },
      schema: {
        params: Type.Object({ note_id: Type.String() }),
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ maximum: 9 })),
          deep: Type.Optional(Type.Boolean()),
        }),
        response: { 200: DataOf(Type.Unknown()) },
      },
    },
    async ({ params: { note_id }, query, ctx }) => {
      if (note_id === "none") throw new ApiError("not_found");
      if (note_id === "away")
        throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      if (note_id === "bug") throw new Error("the secret password is hunter2");
      return {
        data: { note_id, query, base_url: ctx.base_url, account_id: ctx.account.account_id },
      };
    },
  );
  app.post(
    "/notes",
    {
      config: { scopes: ["shipments:write"] },
      schema: { body: Note, response: { 201: DataOf(Note) } },
    },
    async ({ body }, reply) => reply.code(201).send({ data: body }),
  );
  app.post(
    "/notes/bulk",
    { config: { scopes: [], body: "bulk", validation: "in_verb" }, schema: { body: Note } },
    async ({ body }) => ({ data: JSON.stringify(body).length }),
  );
};

let api: TestApi;
let account: TestAccount;
let token: string;
beforeAll(async () => {
  api = await testApi({
    routes: [routes],
    settings: {
      WAYBILL_RATE_LIMITS: "off",
      WAYBILL_BODY_LIMIT_BYTES: "2000",
      WAYBILL_BULK_BODY_LIMIT_BYTES: "4000",
    },
  });
  account = await anAccount(api);
  token = await aToken(api, account);
});
afterAll(() => api.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  call(api, { token, method: "POST", path: "/notes", body, headers });
const codeOf = (response: { body: string }) =>
  (JSON.parse(response.body) as { error: { code: string } }).error.code;

describe("size", () => {
  test("a stated size is refused before the token is looked up", async () => {
    const response = await api.app.inject({
      method: "POST",
      url: "/api/v5/notes",
      headers: { "content-length": "2001" },
    });
    expect([response.statusCode, codeOf(response)]).toEqual([413, "payload_too_large"]);
  });

  test("an unstated size is refused when it has been received", async () => {
    const response = await post(JSON.stringify({ text: "x".repeat(2000) }), {
      "transfer-encoding": "chunked",
    });
    expect(response.statusCode).toBe(413);
  });

  test("bulk calls accept more", async () => {
    const body = { text: "x".repeat(3000) };
    expect((await call(api, { token, method: "POST", path: "/notes/bulk", body })).statusCode).toBe(
      200,
    );
  });
});

describe("authentication", () => {
  test.each([
    ["nothing", undefined],
    ["another scheme", "Basic d2I6d2I="],
    ["no token", "Bearer "],
    ["a wrong checksum", `Bearer wb_test_${"0".repeat(46)}`],
    ["a token that was never issued", `Bearer ${newToken("test")}`],
  ])("%s is 401, whatever the path", async (_name, authorization) => {
    for (const url of ["/sandbox/api/v5/notes/1", "/sandbox/api/v5/nowhere", "/sandbox/api/v5"]) {
      const response = await api.app.inject({
        url,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([response.statusCode, codeOf(response), response.headers["www-authenticate"]]).toEqual(
        [401, "unauthenticated", "Bearer"],
      );
    }
  });

  test("the scheme's name is case-insensitive", async () => {
    const response = await api.app.inject({
      url: "/sandbox/api/v5/notes/1",
      headers: { authorization: `bEARER ${token}` },
    });
    expect(response.statusCode).toBe(200);
  });

  test("a token at the wrong base address is given the right one", async () => {
    const response = await api.app.inject({
      url: "/api/v5/notes/1",
      headers: { authorization: `Bearer ${token}` },
    });
    expect([response.statusCode, codeOf(response)]).toEqual([401, "unauthenticated"]);
    expect(response.body).toContain("/sandbox/api/v5");
  });

  test("an expired token is refused as expired", async () => {
    const expired = await aToken(api, account, { expires_at: new Date(Date.now() - 1) });
    const response = await call(api, { token: expired, path: "/notes/1" });
    expect([response.statusCode, codeOf(response)]).toEqual([401, "token_expired"]);
  });

  test("a suspended account's token is 403", async () => {
    const suspended = await anAccount(api);
    const theirs = await aToken(api, suspended);
    await api.db
      .updateTable("accounts")
      .set({ suspended_at: new Date() })
      .where("account_id", "=", suspended.account_id)
      .execute();
    const response = await call(api, { token: theirs, path: "/notes/1" });
    expect([response.statusCode, codeOf(response)]).toEqual([403, "account_suspended"]);
  });

  test("a token's use is noted", async () => {
    const used = await aToken(api, account);
    await call(api, { token: used, path: "/notes/1" });
    await expect
      .poll(
        async () =>
          (
            await api.db
              .selectFrom("tokens")
              .select("last_used_at")
              .where("last_four", "=", used.slice(-4))
              .execute()
          )[0]?.last_used_at,
      )
      .toBeInstanceOf(Date);
  });
});

describe("route, method, scope", () => {
  test("an unknown path is 404", async () => {
    const response = await call(api, { token, path: "/nowhere" });
    expect([response.statusCode, codeOf(response)]).toEqual([404, "not_found"]);
  });

  test("a known path with another method is 405 and names those that it has", async () => {
    const response = await call(api, { token, method: "PATCH", path: "/notes/bulk" });
    expect([response.statusCode, codeOf(response)]).toEqual([405, "method_not_allowed"]);
    expect(response.headers.allow).toBe("GET, HEAD, POST");
  });

  test.each(["QUERY", "PATCH", "OPTIONS", "PROPFIND", "LOCK"] as const)(
    "%s is no other case than any method that a path does not have",
    async (method) => {
      for (const headers of [{}, { "content-type": "text/plain" }] as Record<string, string>[]) {
        const request = { method: method as "GET", headers };
        const known = await call(api, { token, path: "/notes/bulk", ...request });
        expect([known.statusCode, codeOf(known)]).toEqual([405, "method_not_allowed"]);
        expect(known.headers.allow).toBe("GET, HEAD, POST");
        const unknown = await call(api, { token, path: "/nowhere", ...request });
        expect([unknown.statusCode, codeOf(unknown)]).toEqual([404, "not_found"]);
        const outside = await api.app.inject({ url: "/nowhere", ...request });
        expect(outside.statusCode).toBe(404);
      }
    },
  );

  test("a token without the scope is refused before its body is read", async () => {
    const reader = await aToken(api, account, { scopes: ["shipments:read"] });
    const response = await call(api, {
      token: reader,
      method: "POST",
      path: "/notes",
      body: "{",
      headers: { "idempotency-key": "" },
    });
    expect([response.statusCode, codeOf(response)]).toEqual([403, "scope_missing"]);
    expect(JSON.parse(response.body)).toMatchObject({
      error: {
        details: { required_scopes: ["shipments:write"], token_scopes: ["shipments:read"] },
      },
    });
  });

  test.each([
    ["text/html", 406],
    ["application/json;q=0, */*", 406],
    ["text/html, application/*;q=0.5", 200],
    ["*/*", 200],
    ["application/json", 200],
  ])("Accept: %s is %i", async (accept, status) => {
    expect((await call(api, { token, path: "/notes/1", headers: { accept } })).statusCode).toBe(
      status,
    );
  });
});

describe("body", () => {
  test.each(['{"text":', '{"text":"a",}', "{'text':'a'}", "nul", " "])(
    "%j is malformed",
    async (body) => {
      const response = await post(body);
      expect([response.statusCode, codeOf(response)]).toEqual([400, "malformed_json"]);
    },
  );

  test("bytes that are no UTF-8 are malformed", async () => {
    const response = await api.app.inject({
      method: "POST",
      url: "/sandbox/api/v5/notes",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect([response.statusCode, codeOf(response)]).toEqual([400, "malformed_json"]);
  });

  test.each(["text/plain", "application/xml", "application/jsonp", "nonsense", ""])(
    "declared as %j it is 415",
    async (type) => {
      const response = await post('{"text":"a"}', { "content-type": type });
      expect([response.statusCode, codeOf(response)]).toEqual([415, "unsupported_media_type"]);
    },
  );

  test.each(["application/json", "Application/JSON; charset=utf-8"])(
    "declared as %j it is read",
    async (type) => {
      expect((await post('{"text":"a"}', { "content-type": type })).statusCode).toBe(201);
    },
  );

  test("a compressed one is 415", async () => {
    expect((await post('{"text":"a"}', { "content-encoding": "gzip" })).statusCode).toBe(415);
  });

  test("keys that would reach a prototype are ignored", async () => {
    const response = await post(
      '{"text":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(response.statusCode).toBe(201);
    expect(JSON.parse(response.body)).toEqual({ data: { text: "a" } });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("a missing one is 422 and says so", async () => {
    const response = await call(api, { token, method: "POST", path: "/notes" });
    expect(JSON.parse(response.body)).toMatchObject({
      error: {
        code: "validation_failed",
        details: { body: ["body is required: send a JSON body."] },
      },
    });
  });
});

describe("validation", () => {
  const deep = `${"[".repeat(900)}${"]".repeat(900)}`;

  test("a body is not coerced, and every failing field is named", async () => {
    const response = await post({ text: "too long", count: "1" });
    expect(JSON.parse(response.body)).toEqual({
      error: {
        code: "validation_failed",
        message: "text must have at most 5 characters. 1 more field is not valid.",
        details: {
          text: ["text must have at most 5 characters."],
          count: ["count must be a whole number."],
        },
      },
    });
  });

  test.each(["1e400", deep, "null", "[]", '"x"', "-0"])(
    "%s in place of a body is a 422",
    async (body) => {
      expect((await post(body)).statusCode).toBe(422);
    },
  );

  test("numbers and truth values of a query string are read from their usual notation", async () => {
    const response = await call(api, { token, path: "/notes/1?limit=7&deep=true&colour=red" });
    expect(JSON.parse(response.body)).toMatchObject({ data: { query: { limit: 7, deep: true } } });
  });

  test.each([
    "limit=1e0",
    "limit=",
    "limit=%207",
    "limit=0x1",
    "limit=10",
    "limit=1&limit=2",
    "deep=1",
    "limit=99999999999999999999",
  ])("?%s is a 422", async (query) => {
    const response = await call(api, { token, path: `/notes/1?${query}` });
    expect([response.statusCode, codeOf(response)]).toEqual([422, "validation_failed"]);
  });

  test.each(["%00", "a%00b", "%ED%A0%80", "%zz", "x".repeat(600)])(
    "a path that cannot name anything is 404: %#",
    async (id) => {
      const response = await call(api, { token, path: `/notes/${id}` });
      expect([response.statusCode, codeOf(response)]).toEqual([404, "not_found"]);
    },
  );
});

describe("answers", () => {
  test("a bug is 500 and discloses nothing internal", async () => {
    const response = await call(api, { token, path: "/notes/bug" });
    expect(response.statusCode).toBe(500);
    expect(JSON.parse(response.body)).toEqual({
      error: { code: "internal_error", message: "Something went wrong on our side.", details: {} },
    });
  });

  test("an unavailable database is 503, and worth a retry", async () => {
    const response = await call(api, { token, path: "/notes/away" });
    expect([response.statusCode, codeOf(response), response.headers["retry-after"]]).toEqual([
      503,
      "unavailable",
      "1",
    ]);
  });

  test("HEAD answers like GET, without the body", async () => {
    const got = await call(api, { token, path: "/notes/1" });
    const head = await call(api, { token, method: "HEAD", path: "/notes/1" });
    expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([
      200,
      "",
      got.headers["content-length"],
    ]);
  });

  test("every answer names its request, by the client's own id if it sent a usable one", async () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
    expect((await call(api, { token, path: "/notes/bug" })).headers["request-id"]).toMatch(uuid);
    expect((await api.app.inject("/nowhere")).headers["request-id"]).toMatch(uuid);
    const named = await call(api, {
      token,
      path: "/notes/1",
      headers: { "x-request-id": "order 7" },
    });
    expect(named.headers["request-id"]).toBe("order 7");
    const long = await call(api, {
      token,
      path: "/notes/1",
      headers: { "x-request-id": "x".repeat(65) },
    });
    expect(long.headers["request-id"]).toMatch(uuid);
  });

  test("long answers are compressed for clients that accept it", async () => {
    const path = `/notes/${"x".repeat(400)}?limit=1`;
    expect(
      (await call(api, { token, path, headers: { "accept-encoding": "gzip" } })).headers[
        "content-encoding"
      ],
    ).toBeUndefined();
    const document = await api.app.inject({
      url: "/api/v5/openapi.json",
      headers: { "accept-encoding": "gzip" },
    });
    expect(document.headers["content-encoding"]).toBe("gzip");
  });

  test.each(["/api/v3", "/api/v4/shipments", "/sandbox/api/v4/rates/1"])(
    "%s is gone and names v5, without a token",
    async (url) => {
      for (const method of ["GET", "POST"] as const) {
        const response = await api.app.inject({
          method,
          url,
          ...(method === "POST" ? { payload: { a: 1 } } : {}),
        });
        expect([response.statusCode, codeOf(response)]).toEqual([410, "version_gone"]);
        expect(response.body).toContain("v5");
      }
    },
  );
});

describe("browsers", () => {
  const preflight = (on: TestApi, origin: string) =>
    on.app.inject({
      method: "OPTIONS",
      url: "/sandbox/api/v5/notes",
      headers: { origin, "access-control-request-method": "POST" },
    });

  test("may not call from anywhere by default", async () => {
    expect(
      (await preflight(api, "https://shop.example")).headers["access-control-allow-origin"],
    ).toBeUndefined();
  });

  test("may call from the listed origins only", async () => {
    const open = await testApi({
      routes: [routes],
      beside: api,
      settings: { WAYBILL_CORS_ORIGINS: "https://shop.example, https://desk.example" },
    });
    const allowed = await preflight(open, "https://desk.example");
    expect([allowed.statusCode, allowed.headers["access-control-allow-origin"]]).toEqual([
      204,
      "https://desk.example",
    ]);
    const answered = await call(open, {
      token,
      path: "/notes/1",
      headers: { origin: "https://desk.example" },
    });
    expect(answered.headers["access-control-expose-headers"]).toContain("Idempotent-Replay");
    expect(answered.headers["access-control-expose-headers"]).toContain("ETag");
    expect(
      (await preflight(open, "https://evil.example")).headers["access-control-allow-origin"],
    ).toBeUndefined();
    await open.close();
  });
});

describe("health", () => {
  test("a live process that reaches its database is ready", async () => {
    expect((await api.app.inject("/healthz")).statusCode).toBe(200);
    expect((await api.app.inject("/readyz")).statusCode).toBe(200);
    expect((await api.app.inject("/metrics")).body).toContain(
      "waybill_http_request_seconds_bucket",
    );
  });

  test("a draining one is alive, not ready, and closes its connections after answering", async () => {
    const other = await testApi({ routes: [routes], beside: api });
    other.app.startDraining();
    const ready = await other.app.inject("/readyz");
    expect([ready.statusCode, codeOf(ready), ready.headers["retry-after"]]).toEqual([
      503,
      "unavailable",
      "1",
    ]);
    const answered = await call(other, { token, path: "/notes/1" });
    expect([answered.statusCode, answered.headers.connection]).toEqual([200, "close"]);
    await other.close();
  });
});
