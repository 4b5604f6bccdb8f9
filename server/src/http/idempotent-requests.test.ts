import { sql } from "kysely";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../test/api.ts";
import { inTransaction } from "../database/connect.ts";
import { manualClock } from "../domain/time/clock.ts";
import { ApiError, type ErrorCode } from "../domain/errors/errors.ts";
import {
  answer,
  noContent,
  recordResponse,
  recordOutcome,
  type StoredResponse,
  type KeyOfAttempt,
} from "./idempotency.ts";
import { sweepIdempotencyKeys } from "./idempotency-claims.ts";
import { send, type Routes } from "./routes.ts";

// What the verb of these tests does next, and how often it ran.
let runs = 0;
let act: (run: number) => Promise<void> = async () => {};
const Draw = Type.Object({ colour: Type.String({ maxLength: 10 }) });

const Anything = Type.Unknown();
const routes: Routes = async (app) => {
  // Has an effect: its answer is stored in a transaction.
  app.post(
    "/draws",
    { config: { scopes: [] }, schema: { body: Draw } },
    async ({ ctx, body }, reply) => {
      const run = ++runs;
      await act(run);
      return inTransaction(ctx.db, (tx) =>
        recordResponse(tx, ctx, {
          answer: answer(
            201,
            Anything,
            { run, colour: body.colour },
            { location: `/draws/${run}` },
          ),
          subject_id: String(run),
        }),
      ).then(send(reply));
    },
  );
  // Has none: its answer is stored as it is sent.
  app.post("/asks", { config: { scopes: [] } }, async () => {
    const run = ++runs;
    await act(run);
    return { data: { run } };
  });
  app.delete("/draws/:id", { config: { scopes: [] } }, async ({ ctx }, reply) => {
    runs++;
    return inTransaction(ctx.db, (tx) =>
      recordResponse(tx, ctx, { answer: noContent(), subject_id: "draw" }),
    ).then(send(reply));
  });
  app.get("/asks", { config: { scopes: [] } }, async () => ({ data: { run: ++runs } }));
};

const clock = manualClock(new Date("2026-10-05T12:00:00Z"));
const settings = { WAYBILL_RATE_LIMITS: "off", WAYBILL_IDEMPOTENCY_IN_FLIGHT_WAIT_MS: "1000" };
let api: TestApi;
let account: TestAccount;
let token: string;
let counter = 0;
let key: string;
beforeAll(async () => {
  api = await testApi({ routes: [routes], settings, clock });
  account = await anAccount(api);
  token = await aToken(api, account);
});
afterAll(() => api.close());
beforeEach(() => {
  runs = 0;
  act = async () => {};
  key = `key-${++counter}`;
});

interface Sent {
  path?: string;
  body?: unknown;
  key?: string;
  on?: TestApi;
  as?: string;
  method?: "POST" | "DELETE" | "GET";
}
function post({
  path = "/draws",
  body = { colour: "red" },
  on = api,
  as = token,
  method = "POST",
  ...sent
}: Sent = {}) {
  const headers = { "idempotency-key": sent.key ?? key };
  return call(on, { token: as, method, path, ...(method === "POST" ? { body } : {}), headers });
}
const refuse = (code: ErrorCode) => async () => {
  throw new ApiError(code);
};
const codeOf = (response: { body: string }) =>
  (JSON.parse(response.body) as { error: { code: string } }).error.code;
const rows = () =>
  api.db.selectFrom("idempotency_keys").selectAll().where("key", "=", key).execute();

describe("a repeated key", () => {
  test.each(["/draws", "/asks"])(
    "replays the answer of %s byte for byte and runs nothing",
    async (path) => {
      const first = await post({ path });
      const second = await post({ path });
      expect(second.statusCode).toBe(first.statusCode);
      expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
      for (const name of ["content-type", "location"])
        expect(second.headers[name]).toBe(first.headers[name]);
      expect([first.headers["idempotent-replay"], second.headers["idempotent-replay"]]).toEqual([
        undefined,
        "true",
      ]);
      expect(second.headers["request-id"]).not.toBe(first.headers["request-id"]);
      expect(runs).toBe(1);
    },
  );

  test("replays an answer without a body", async () => {
    const first = await post({ method: "DELETE", path: "/draws/1" });
    const second = await post({ method: "DELETE", path: "/draws/1" });
    expect([first.statusCode, second.statusCode, second.body, runs]).toEqual([204, 204, "", 1]);
    expect(second.headers["content-type"]).toBeUndefined();
  });

  test("replays for another token of the account, and for none of another account", async () => {
    await post();
    expect((await post({ as: await aToken(api, account) })).headers["idempotent-replay"]).toBe(
      "true",
    );
    expect((await post({ as: await aToken(api, await anAccount(api)) })).statusCode).toBe(201);
    expect(runs).toBe(2);
  });

  test("is the same key with and without a pair of double quotes", async () => {
    await post();
    expect((await post({ key: `"${key}"` })).headers["idempotent-replay"]).toBe("true");
  });

  test.each([
    ["body", { body: { colour: "blue" } }],
    ["body's bytes", { body: '{ "colour": "red" }' }],
    ["query", { path: "/draws?x=1" }],
    ["path", { path: "/asks" }],
    ["method", { method: "DELETE", path: "/draws/1" }],
  ] as [string, Sent][])("conflicts with another %s", async (_name, other) => {
    await post();
    const response = await post(other);
    expect([response.statusCode, codeOf(response), runs]).toEqual([409, "idempotency_conflict", 1]);
    expect((await post()).headers["idempotent-replay"]).toBe("true");
  });

  test("is ignored on a GET", async () => {
    await post({ method: "GET", path: "/asks" });
    await post({ method: "GET", path: "/asks" });
    expect([runs, await rows()]).toEqual([2, []]);
  });

  test.each([
    ["empty", ""],
    ["two quotes", '""'],
    ["256 characters", "k".repeat(256)],
    ["not ASCII", "clé"],
    ["a tab", "a\tb"],
  ])("that is unusable is 400: %s", async (_name, unusable) => {
    const response = await post({ key: unusable });
    expect([response.statusCode, codeOf(response), runs]).toEqual([
      400,
      "invalid_idempotency_key",
      0,
    ]);
  });

  test("may have 255 characters", async () => {
    expect((await post({ key: "k".repeat(255) })).statusCode).toBe(201);
  });
});

describe("an answer", () => {
  test.each(["insufficient_credits", "not_found", "already_labelled", "unserviceable"] as const)(
    "of %s is final",
    async (code) => {
      act = refuse(code);
      const first = await post();
      act = async () => {};
      const second = await post();
      expect([second.statusCode, second.body, second.headers["idempotent-replay"], runs]).toEqual([
        first.statusCode,
        first.body,
        "true",
        1,
      ]);
    },
  );

  test("of a validation is final", async () => {
    const body = { colour: 1 };
    const first = await post({ body });
    const second = await post({ body });
    expect([first.statusCode, second.body, second.headers["idempotent-replay"]]).toEqual([
      422,
      first.body,
      "true",
    ]);
  });

  test.each([
    "scope_missing",
    "too_many_requests",
    "internal_error",
    "carrier_error",
    "unavailable",
    "idempotency_in_progress",
    "purchase_pending",
  ] as const)("of %s is not: the same request runs again", async (code) => {
    act = refuse(code);
    await post();
    act = async () => {};
    const second = await post();
    expect([second.statusCode, second.headers["idempotent-replay"], runs]).toEqual([
      201,
      undefined,
      2,
    ]);
  });

  test.each([
    ["malformed", '{"colour":', {}],
    ["of another type", "colour", { "content-type": "text/plain" }],
  ])("to a body that is %s is not", async (_name, body, headers) => {
    const first = await call(api, {
      token,
      method: "POST",
      path: "/draws",
      body,
      headers: { "idempotency-key": key, ...headers },
    });
    expect([400, 415]).toContain(first.statusCode);
    expect((await post()).statusCode).toBe(201);
  });

  test.each(["purchase_pending", "internal_error", "unavailable"] as const)(
    "of %s keeps the key for its request",
    async (code) => {
      act = refuse(code);
      await post();
      expect(codeOf(await post({ body: { colour: "blue" } }))).toBe("idempotency_conflict");
    },
  );

  test("that recovery determines later is what the next request gets", async () => {
    act = refuse("purchase_pending");
    await post();
    const recovered = answer(201, Anything, { recovered: true });
    await learn(recovered);
    const second = await post();
    expect([second.statusCode, second.body, second.headers["idempotent-replay"], runs]).toEqual([
      201,
      recovered.body,
      "true",
      1,
    ]);
  });

  test("that a recovery stored while the request still ran is not undone by it", async () => {
    const recovered = answer(201, Anything, { recovered: true });
    act = async () => {
      await learn(recovered);
      throw new ApiError("carrier_error");
    };
    expect((await post()).statusCode).toBe(502);
    expect((await post()).body).toBe(recovered.body);
  });

  test("is stored with its effect or not at all", async () => {
    act = async (run) => {
      if (run > 1) return;
      const attempt = await linked();
      await inTransaction(api.db, async (tx) => {
        await recordOutcome(tx, attempt, answer(201, Anything, "lost"));
        throw new ApiError("carrier_error");
      });
    };
    expect((await post()).statusCode).toBe(502);
    expect(JSON.parse((await post()).body)).toEqual({ data: { run: 2, colour: "red" } });
  });
});

describe("concurrent duplicates", () => {
  test("of one process: a hundred run once and get the same bytes", async () => {
    const gate = Promise.withResolvers<void>();
    act = () => gate.promise;
    const answers = Array.from({ length: 100 }, () => post());
    await expect.poll(() => runs, { timeout: 20_000 }).toBe(1);
    gate.resolve();
    const bodies = new Set(
      (await Promise.all(answers)).map(({ statusCode, body }) => `${statusCode} ${body}`),
    );
    expect([bodies.size, runs]).toEqual([1, 1]);
  });

  test("of two processes run once and get the same bytes", async () => {
    const other = await testApi({ routes: [routes], settings, clock, beside: api });
    const gate = Promise.withResolvers<void>();
    act = () => gate.promise;
    const answers = [
      ...Array.from({ length: 10 }, () => post()),
      ...Array.from({ length: 10 }, () => post({ on: other })),
    ];
    await expect.poll(() => runs, { timeout: 20_000 }).toBe(1);
    gate.resolve();
    const bodies = new Set(
      (await Promise.all(answers)).map(({ statusCode, body }) => `${statusCode} ${body}`),
    );
    expect([bodies.size, runs]).toEqual([1, 1]);
    await other.close();
  });

  test("that wait too long are refused and may retry, and a different request conflicts meanwhile", async () => {
    const other = await testApi({ routes: [routes], settings, clock, beside: api });
    const gate = Promise.withResolvers<void>();
    act = () => gate.promise;
    const first = post();
    await expect.poll(() => runs, { timeout: 20_000 }).toBe(1);
    for (const on of [api, other]) {
      const late = await post({ on });
      expect([late.statusCode, codeOf(late), late.headers["retry-after"]]).toEqual([
        409,
        "idempotency_in_progress",
        "1",
      ]);
      expect(codeOf(await post({ on, body: { colour: "blue" } }))).toBe("idempotency_conflict");
    }
    gate.resolve();
    expect((await first).statusCode).toBe(201);
    expect((await post({ on: other })).headers["idempotent-replay"]).toBe("true");
    await other.close();
  });

  test("of a request that failed run in its stead", async () => {
    const gate = Promise.withResolvers<void>();
    act = async (run) => {
      if (run > 1) return;
      await gate.promise;
      throw new ApiError("carrier_error");
    };
    const [first, second] = [post(), post()];
    await expect.poll(() => runs, { timeout: 20_000 }).toBe(1);
    gate.resolve();
    expect([(await first).statusCode, (await second).statusCode].sort()).toEqual([201, 502]);
  });
});

describe("a claim", () => {
  const claimedBy = (holder_id: string) =>
    api.db
      .updateTable("idempotency_keys")
      .set({ holder_id, status: null, body: null })
      .where("key", "=", key)
      .execute();

  test("of a process that died is taken over by the same request", async () => {
    await post();
    await sql`INSERT INTO processes (id, role, heartbeat_at) VALUES (${`prc_${key}`}, 'test', now() - interval '16 seconds')`.execute(
      api.db,
    );
    await claimedBy(`prc_${key}`);
    expect([(await post()).statusCode, runs]).toEqual([201, 2]);
  });

  test("of a live process is not", async () => {
    await post();
    await sql`INSERT INTO processes (id, role) VALUES (${`prc_${key}`}, 'test')`.execute(api.db);
    await claimedBy(`prc_${key}`);
    expect([codeOf(await post()), runs]).toEqual(["idempotency_in_progress", 1]);
  });

  test("that this process lost track of, because its answer could not be stored, is taken over", async () => {
    await post();
    await claimedBy(api.platform.process_id);
    expect([(await post()).statusCode, runs]).toEqual([201, 2]);
  });

  test("that was taken over and answered while its request ran has the other's answer", async () => {
    const others = answer(201, Anything, { run: "another process's" });
    act = async () => {
      await learn(others);
      throw new ApiError("already_labelled");
    };
    const late = await post();
    expect([late.statusCode, late.body, late.headers["idempotent-replay"]]).toEqual([
      201,
      others.body,
      "true",
    ]);
    expect(await rows()).toMatchObject([{ status: 201 }]);
  });

  test.each(["/draws", "/asks"])(
    "that was taken over and not yet answered is still running: %s has no effect",
    async (path) => {
      act = async () => void (await claimedBy(`prc_${key}`));
      const late = await post({ path });
      expect([late.statusCode, codeOf(late), late.headers["retry-after"]]).toEqual([
        409,
        "idempotency_in_progress",
        "1",
      ]);
      expect(await rows()).toMatchObject([{ holder_id: `prc_${key}`, status: null }]);
    },
  );

  test("whose answer could not be stored answers 503, because the next one may be another", async () => {
    await sql`CREATE FUNCTION refuse_answers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no'; END $$`.execute(api.db);
    act = async () => {
      await sql`CREATE TRIGGER broken BEFORE UPDATE ON idempotency_keys
        EXECUTE FUNCTION refuse_answers()`.execute(api.db);
      throw new ApiError("conflict");
    };
    const refused = await post();
    await sql`DROP TRIGGER broken ON idempotency_keys`.execute(api.db);
    expect([refused.statusCode, codeOf(refused), refused.headers["retry-after"]]).toEqual([
      503,
      "unavailable",
      "1",
    ]);
    act = async () => undefined;
    expect((await post()).statusCode).toBe(201);
  });

  test("that could not be released in the database is free for another process once it is", async () => {
    const other = await testApi({ routes: [routes], settings, clock, beside: api });
    await sql`CREATE FUNCTION refuse_updates() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$`.execute(api.db);
    await sql`CREATE TRIGGER full_disk BEFORE UPDATE ON idempotency_keys
      FOR EACH ROW EXECUTE FUNCTION refuse_updates()`.execute(api.db);
    act = async (run) => {
      if (run === 1) throw new ApiError("unavailable");
    };
    expect(codeOf(await post())).toBe("unavailable");
    expect(codeOf(await post({ on: other }))).toBe("idempotency_in_progress");
    await sql`DROP TRIGGER full_disk ON idempotency_keys`.execute(api.db);
    await expect.poll(async () => (await post({ on: other })).statusCode).toBe(201);
    expect(runs).toBe(2);
    await other.close();
  });
});

describe("the window", () => {
  test("is 24 hours from the first request; then the key is free", async () => {
    await post();
    await age("23 hours 59 minutes");
    expect((await post()).headers["idempotent-replay"]).toBe("true");
    await age("2 minutes");
    const response = await post({ body: { colour: "blue" } });
    expect([response.statusCode, response.headers["idempotent-replay"]]).toEqual([201, undefined]);
    expect((await post({ body: { colour: "blue" } })).headers["idempotent-replay"]).toBe("true");
  });

  test("is measured by the database: a process whose clock is a day ahead frees no key", async () => {
    await post();
    clock.advance(25 * 3_600_000);
    await sweepIdempotencyKeys(api.db, 24);
    expect((await post()).headers["idempotent-replay"]).toBe("true");
  });

  test("passed, keys are swept, and no younger ones", async () => {
    await post();
    await sweepIdempotencyKeys(api.db, 24);
    expect(await rows()).toHaveLength(1);
    await age("24 hours 1 second");
    expect(await sweepIdempotencyKeys(api.db, 24)).toBeGreaterThan(0);
    expect(await rows()).toHaveLength(0);
  });

  test.each(["sent", "unknown", "review"])(
    "does not end while an attempt that the key began is %s, and ends after it",
    async (status) => {
      act = refuse("purchase_pending");
      await post();
      const { subject_id } = await linked();
      await anAttempt(subject_id, status);
      await age("3 days");
      await sweepIdempotencyKeys(api.db, 24);
      expect(codeOf(await post({ body: { colour: "blue" } }))).toBe("idempotency_conflict");
      await sql`UPDATE attempts SET status = 'refused', resolved_at = now()
        WHERE account_id = ${account.account_id} AND subject_id = ${subject_id}`.execute(api.db);
      act = async () => undefined;
      expect((await post({ body: { colour: "blue" } })).statusCode).toBe(201);
    },
  );

  test("passed and used anew, a key is safe from an outcome of its earlier use", async () => {
    act = refuse("purchase_pending");
    await post();
    const earlier = await linked();
    await age("24 hours 1 second");
    await post({ body: { colour: "blue" } });
    await expect(
      inTransaction(api.db, (tx) => recordOutcome(tx, earlier, answer(201, Anything, "earlier"))),
    ).rejects.toThrow("key_not_linked");
    expect((await rows())[0]?.status).toBeNull();
  });
});

/** Makes the key so much older. */
async function age(by: string): Promise<void> {
  await sql`UPDATE idempotency_keys SET created_at = created_at - ${by}::interval
    WHERE account_id = ${account.account_id} AND key = ${key}`.execute(api.db);
}

/** The key as an attempt names it, linked to a subject as the attempt's first transaction does. */
async function linked(): Promise<KeyOfAttempt> {
  const subject_id = `shp_${key}`;
  await sql`UPDATE idempotency_keys SET subject_id = ${subject_id}
    WHERE account_id = ${account.account_id} AND key = ${key}`.execute(api.db);
  return { account_id: account.account_id, idempotency_key: key, subject_id };
}

/** Records the outcome of the attempt that the key began, as recovery does. */
async function learn(found: StoredResponse): Promise<void> {
  const attempt = await linked();
  await inTransaction(api.db, (tx) => recordOutcome(tx, attempt, found));
}

async function anAttempt(subject_id: string, status: string): Promise<void> {
  await sql`INSERT INTO attempts (account_id, id, kind, subject_id, reference, party, status, input, idempotency_key, sent_at)
    VALUES (${account.account_id}, ${`att_${key}`}, 'top_up', ${subject_id}, ${`att_${key}`}, 'payments', ${status}, '{}', ${key}, now())`.execute(
    api.db,
  );
}
