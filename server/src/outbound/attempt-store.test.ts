import { sql } from "kysely";
import { bySystem } from "../domain/accounts/principal.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { inTransaction } from "../database/connect.ts";
import { isRefused } from "../database/refusals.ts";
import type { AttemptStatus, Tx } from "../database/tables.ts";
import { newId } from "../domain/values/ids.ts";
import * as store from "./attempt-store.ts";
import { lookupSeconds } from "./deadline.ts";
import type { Failure } from "./operation.ts";
import * as recovery from "./recovery-store.ts";

/** The conditions of each statement on attempts: which holder may write what to which attempt. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await sql`INSERT INTO processes (id, role, heartbeat_at)
    VALUES (${alive}, 'test', now() + interval '1 hour'), (${dead}, 'test', now() - interval '1 hour')`.execute(
    database.db,
  );
});
beforeEach(async () => {
  await sql`DELETE FROM attempts`.execute(database.db);
  await sql`DELETE FROM idempotency_keys`.execute(database.db);
});
afterAll(() => database.close());

const account_id = "acc_store";
const [alive, dead] = ["prc_living", "prc_dead"];
const failure: Failure = { kind: "unknown", party: "ups", party_code: "no_answer", message: "No." };
const statuses: AttemptStatus[] = ["sent", "unknown", "settled", "refused", "absent", "review"];
const open: AttemptStatus[] = ["sent", "unknown"];
const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work);

interface Row {
  id: string;
  status: AttemptStatus;
  fence: number;
  kind: string;
  party: string;
  look_at: Date | null;
  holder_id: string | null;
  idempotency_key: string | null;
  subject_id: string;
  unwanted: boolean;
}

/** An attempt in an earlier state. `due` is in how many seconds it is looked up. */
async function anAttempt(
  given: Partial<Omit<Row, "look_at">> & { due?: number | null } = {},
): Promise<Row & { account_id: string }> {
  const id = given.id ?? newId("att");
  const status = given.status ?? "unknown";
  const { due = open.includes(status) ? 3600 : null } = given;
  const isOver = ["settled", "refused", "absent"].includes(status);
  const { rows } = await sql<Row & { account_id: string }>`
    INSERT INTO attempts (account_id, id, kind, subject_id, reference, party, status, fence, holder_id, input,
      idempotency_key, unwanted, sent_at, look_at, resolved_at)
    VALUES (${account_id}, ${id}, ${given.kind ?? "top_up"}, ${given.subject_id ?? newId("txn")}, ${id},
      ${given.party ?? "ups"}, ${status}, ${given.fence ?? 3}, ${given.holder_id ?? null}, '{}',
      ${given.idempotency_key ?? null}, ${given.unwanted ?? false}, now(),
      now() + make_interval(secs => ${due}), ${isOver ? sql`now()` : null})
    RETURNING *`.execute(database.db);
  return rows[0]!;
}

async function now({ id }: { id: string }): Promise<Row & { undo_count: number }> {
  const { rows } = await sql<Row & { undo_count: number }>`
    SELECT * FROM attempts WHERE id = ${id}`.execute(database.db);
  return rows[0]!;
}

type Held = Awaited<ReturnType<typeof anAttempt>>;

/** Every write to an attempt under its fence, and the states that it is possible from. */
const writes: Record<string, { from: AttemptStatus[]; write(attempt: Held): Promise<unknown> }> = {
  "settle it": {
    from: [...open, "review"],
    write: (attempt) =>
      store.orLostLease(
        attempt,
        inTx((tx) => store.endAttempts(tx, [{ attempt, status: "settled" }])),
      ),
  },
  "mark it not executed": {
    from: [...open, "review"],
    write: (attempt) =>
      store.orLostLease(
        attempt,
        inTx((tx) => store.endAttempts(tx, [{ attempt, status: "absent", failure }])),
      ),
  },
  "rule on it": {
    from: ["review"],
    write: (attempt) => {
      const decision = { decision: "void", by: "me", note: null, decided_at: "", fingerprint: "" };
      const end = { attempt, status: "absent", decision } as const;
      return store.orLostLease(
        attempt,
        inTx((tx) => store.endAttempts(tx, [end as store.AttemptEnd])),
      );
    },
  },
  "suspend it": {
    from: ["sent"],
    write: (attempt) => inTx((tx) => store.suspendAttempt(tx, attempt, failure)),
  },
  "mark it for reversal": {
    from: [...open, "absent", "review"],
    write: (attempt) => store.markForReversal(database.db, attempt, failure),
  },
  "leave it to review": {
    from: [...open, "absent", "review"],
    write: (attempt) =>
      inTx((tx) => recovery.leaveToReview(tx, attempt, { failure, look_seconds: null })),
  },
};

describe.each(Object.keys(writes))("to %s", (name) => {
  const { from, write } = writes[name]!;

  test.each(statuses)("is possible for one that is %s as the table says", async (status) => {
    const attempt = await anAttempt({ status });
    const before = await now(attempt);
    const outcome = write(attempt);
    if (from.includes(status)) return void (await outcome);
    await expect(outcome).rejects.toThrow(store.LostLease);
    expect(await now(attempt)).toEqual(before);
  });

  test("requires the current fence, neither an older nor a newer one", async () => {
    const attempt = await anAttempt({ status: from[0]!, fence: 3 });
    for (const fence of [2, 4])
      await expect(write({ ...attempt, fence })).rejects.toThrow(store.LostLease);
    await write(attempt);
  });
});

test("one that was taken over as unknown is not settled once it is under review", async () => {
  const attempt = await anAttempt({ status: "review" });
  const stale = { attempt: { ...attempt, status: "unknown" as const }, status: "settled" as const };
  const settled = store.orLostLease(
    attempt,
    inTx((tx) => store.endAttempts(tx, [stale])),
  );
  await expect(settled).rejects.toThrow(store.LostLease);
  expect((await now(attempt)).status).toBe("review");
});

describe("a lookup that ended nothing", () => {
  const look = { seconds: 60, has_response: true, is_undo_failed: true };

  test.each(statuses)(
    "is recorded for one that may still be found, not otherwise: %s",
    async (status) => {
      const attempt = await anAttempt({ status });
      await recovery.scheduleLookup(database.db, attempt, look);
      const isLooked = ["unknown", "absent", "review"].includes(status);
      expect((await now(attempt)).undo_count).toBe(isLooked ? 1 : 0);
    },
  );

  test("is not recorded by a process that lost the attempt", async () => {
    const attempt = await anAttempt();
    await recovery.scheduleLookup(database.db, { ...attempt, fence: 2 }, look);
    expect((await now(attempt)).undo_count).toBe(0);
  });
});

test("what was marked not executed is looked up a minute later, but not what an operator or a party reversed", async () => {
  const [plain, unwanted] = [await anAttempt(), await anAttempt({ unwanted: true })];
  for (const attempt of [plain, unwanted])
    await inTx((tx) => store.endAttempts(tx, [{ attempt, status: "absent", failure }]));
  expect((await now(plain)).look_at).not.toBeNull();
  expect((await now(unwanted)).look_at).toBeNull();
});

describe("taking over what is due", () => {
  const take = async (claim: Partial<Parameters<typeof recovery.takeOverDue>[1]> = {}) => {
    const due = await recovery.takeOverDue(database.db, {
      process_id: alive,
      lease_seconds: 15,
      kinds: ["top_up"],
      places: { others: 5, of: {} },
      ...claim,
    });
    return due.map(({ id }) => id).sort();
  };

  test.each(statuses)("takes one that is %s if it is to be looked up", async (status) => {
    const { id } = await anAttempt({ status, due: -1 });
    const isTaken = ["sent", "unknown", "absent", "review"].includes(status);
    expect(await take()).toEqual(isTaken ? [id] : []);
    expect((await now({ id })).status).toBe(status === "sent" ? "unknown" : status);
  });

  test("raises the fence, and excludes it for a while", async () => {
    const attempt = await anAttempt({ due: -1 });
    expect(await take()).toEqual([attempt.id]);
    expect((await now(attempt)).fence).toBe(attempt.fence + 1);
    expect(await take()).toEqual([]);
  });

  test("excludes it for a lease and a lookup, however short the lease is", async () => {
    const lease_seconds = 2;
    const another = "prc_another";
    await sql`INSERT INTO processes (id, role, heartbeat_at)
      VALUES (${another}, 'test', now() + interval '1 hour')`.execute(database.db);
    const { id } = await anAttempt({ due: -1 });
    /** Moves the take-over so many seconds into the past. */
    const pass = (seconds: number) =>
      sql`UPDATE attempts SET look_at = look_at - make_interval(secs => ${seconds})`.execute(
        database.db,
      );
    expect(await take({ lease_seconds })).toEqual([id]);
    await pass(lookupSeconds);
    expect(await take({ lease_seconds, process_id: another })).toEqual([]);
    await pass(lease_seconds);
    expect(await take({ lease_seconds, process_id: another })).toEqual([id]);
  });

  test("takes from dead processes at once, and from live ones when their time is over", async () => {
    const ofDead = await anAttempt({ status: "sent", holder_id: dead });
    await anAttempt({ status: "sent", holder_id: alive });
    const overdue = await anAttempt({ status: "sent", holder_id: alive, due: -1 });
    expect(await take()).toEqual([ofDead.id, overdue.id].sort());
  });

  test("does not take one without a holder before it is due", async () => {
    await anAttempt({ holder_id: null });
    expect(await take()).toEqual([]);
  });

  test("does not take kinds that this release does not know", async () => {
    await anAttempt({ kind: "something_new", due: -1 });
    expect(await take()).toEqual([]);
  });

  test("takes of each party as many as it has slots, whatever others have open", async () => {
    for (let each = 0; each < 9; each++) await anAttempt({ party: "canada_post", due: -100 });
    for (let each = 0; each < 3; each++) await anAttempt({ party: "ups", due: -1 });
    const one = await anAttempt({ party: "usps", due: -1 });
    expect(await take({ places: { others: 2, of: { canada_post: 1, usps: 4 } } })).toHaveLength(4);
    expect((await now(one)).fence).toBe(one.fence + 1);
    expect(await take({ places: { others: 50, of: { canada_post: 0 } } })).toHaveLength(1);
  });

  test("is fair between accounts, however many have only what this release does not know", async () => {
    const add = (accounts: string, { kind, each, due }: Record<string, string | number>) =>
      sql`INSERT INTO attempts (account_id, id, kind, subject_id, reference, party, status, input, sent_at, look_at)
        SELECT account_id, account_id || n, ${kind}, 'txn', account_id || n, 'ups', 'unknown', '{}', now(),
          now() - make_interval(secs => ${due})
        FROM unnest(${accounts.split(" ")}::text[]) AS account_id, generate_series(1, ${each}::int) AS n`.execute(
        database.db,
      );
    await add("acc_0 acc_1 acc_2", { kind: "something_new", each: 1, due: 3600 });
    await add("acc_4", { kind: "top_up", each: 50, due: 3600 });
    await add("acc_5", { kind: "top_up", each: 1, due: 1 });
    const places = { others: 2, of: {} };
    const taken = [];
    for (let round = 0; round < 3; round++) taken.push(...(await take({ places })));
    expect(taken).toContain("acc_51");
  });
});

describe("beginning an attempt for a key", () => {
  const key = "a key";
  async function aKey(holder_id: string | null, status: number | null = null): Promise<void> {
    await sql`INSERT INTO idempotency_keys (account_id, key, fingerprint, holder_id, status)
      VALUES (${account_id}, ${key}, 'f'::bytea, ${holder_id}, ${status})`.execute(database.db);
  }
  async function begin(is_reconciling = false): Promise<string> {
    const id = newId("att");
    const attempt = {
      account_id,
      id,
      subject_id: "txn_1",
      reference: id,
      party: "ups",
      fence: 1,
      idempotency_key: key,
      sent_at: new Date(),
      input: {},
      due_seconds: 30,
      ...bySystem("test"),
    };
    const claim = { account_id, kind: "top_up", holder_id: alive, is_reconciling };
    await inTx((tx) => store.insertAttempts(tx, [attempt], claim));
    return id;
  }
  const subject = async () => {
    const { rows } = await sql<{ subject_id: string | null }>`
      SELECT subject_id FROM idempotency_keys`.execute(database.db);
    return rows[0]?.subject_id;
  };

  test("links the key to its subject, and a retry finds it", async () => {
    await aKey(alive);
    const id = await begin();
    expect(await subject()).toBe("txn_1");
    const claim = { account_id, key, subject_id: "txn_1" };
    expect((await store.findBegun(database.db, claim))?.id).toBe(id);
  });

  test.each<[string, string | null, number | null]>([
    ["another process's", dead, null],
    ["without a holder", null, null],
    ["answered", alive, 201],
  ])("is refused when the key is %s", async (_whose, holder_id, status) => {
    await aKey(holder_id, status);
    const refused = await begin().catch((error: unknown) => error);
    expect(isRefused(refused, "attempt_not_begun")).toBe(true);
    expect(await subject()).toBeNull();
  });

  test("is refused when the key has no holder, but a reconciliation records its owner", async () => {
    await expect(begin()).rejects.toThrow("attempt_not_begun");
    await begin(true);
    expect(await subject()).toBe("txn_1");
  });

  test.each(statuses)(
    "a retry finds one that is %s only if it may still take effect, or has",
    async (status) => {
      const { id, subject_id } = await anAttempt({ status, idempotency_key: key });
      const found = await store.findBegun(database.db, { account_id, key, subject_id });
      const counts = [...open, "review", "settled"].includes(status);
      expect(found?.id).toBe(counts ? id : undefined);
    },
  );

  test("a retry does not find what an earlier use of the key began", async () => {
    await anAttempt({ idempotency_key: key, subject_id: "txn_earlier" });
    const claim = { account_id, key, subject_id: "txn_1" };
    expect(await store.findBegun(database.db, claim)).toBeUndefined();
    expect(await store.findBegun(database.db, { ...claim, subject_id: null })).toBeUndefined();
  });
});
