import { sql } from "kysely";
import { bySystem } from "../domain/accounts/principal.ts";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import type { Database, Tx } from "../database/tables.ts";
import { systemClock } from "../domain/time/clock.ts";
import { newId } from "../domain/values/ids.ts";
import { OutsideError } from "../domain/errors/outside-error.ts";
import type { Prepare } from "./begin.ts";
import type { Outbound, OutboundOperation } from "./operation.ts";
import { performAll } from "./outbound.ts";

/**
 * When an attempt is too late to be sent, and what is logged of an outcome whose writing an unavailable
 * database delays.
 */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => database.close());

const account_id = "acc_outbound";
const lease_seconds = 15;

type Operation = OutboundOperation<object, null, string, string>;
type Begin = Prepare<string, object, null>;

/** An effect at a party that answers at once. */
function anOperation(changes: Partial<Operation> = {}): Operation {
  return {
    kind: "top_up",
    timeoutSeconds: () => 5,
    send: async () => "charged",
    recovery: { by: "find", find: async () => "charged" },
    lookUp: () => ({ absence: "proof", after_seconds: 5, releases: true }),
    review: { advice: () => "", evidence: {}, resultOf: async () => "charged" },
    settle: async (_tx, effects) => effects.map(({ result }) => result),
    release: async () => undefined,
    suspend: async () => undefined,
    ...changes,
  };
}

/** A live process, and the lines that it logs. */
function aProcess(changes: Partial<Outbound> = {}) {
  const lines: { msg: string; attempt_id: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const outbound: Outbound = {
    db: database.db,
    clock: systemClock,
    log: pino({ level: "info" }, { write }),
    process_id: newId("prc"),
    lease_seconds,
    review_after_seconds: 3600,
    ...changes,
  };
  const writtenLate = () =>
    lines.filter(({ msg }) => msg === "outbound.written_late").map(({ attempt_id }) => attempt_id);
  return { outbound, writtenLate };
}

const prepareAll: Begin = async (_tx, wanted) =>
  wanted.map((id) => [{ id, subject_id: id, party: "simulated", input: {}, message: null }]);

/** Carries one effect through its steps; returns the outcome for the caller, and the attempt's status. */
async function performed(
  outbound: Outbound,
  operation: Operation,
  { id = newId("att"), prepare = prepareAll }: { id?: string; prepare?: Begin } = {},
) {
  const by = bySystem("test");
  const request = { account_id, by, idempotency_key: null, wanted: id, subject_id: id, prepare };
  const [ended] = await performAll(outbound, operation, request);
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM attempts WHERE id = ${id}`.execute(database.db);
  return { id, ...ended!, ...rows[0]! };
}

/** What happens to the connection when the database becomes unavailable. */
const breakConnection = (db: Database | Tx) =>
  sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db);

test("an outcome that does not match once the database is available again is not logged as written", async () => {
  const { outbound, writtenLate } = aProcess();
  let looks = 0;
  const refuses: Operation["settle"] = async (tx) => {
    if (++looks === 1) await breakConnection(tx);
    throw new Error("taken");
  };
  const mismatchBy: Operation["mismatchBy"] = (error, { party }) =>
    error instanceof Error && error.message === "taken"
      ? new OutsideError({ kind: "refused", party, party_code: "taken", message: "Taken." })
      : null;
  const mismatched = await performed(outbound, anOperation({ settle: refuses, mismatchBy }));
  expect(mismatched).toMatchObject({ result: "unknown", status: "sent" });
  await vi.waitFor(() => expect(looks).toBe(2), { timeout: 5000, interval: 5 });

  // Lines are logged in the order of the writes.
  let tries = 0;
  const settle: Operation["settle"] = async (tx, effects) => {
    if (++tries === 1) await breakConnection(tx);
    return effects.map(({ result }) => result);
  };
  const kept = await performed(outbound, anOperation({ settle }));
  await vi.waitFor(() => expect(writtenLate()).toContain(kept.id), { timeout: 5000, interval: 5 });
  expect(writtenLate()).toEqual([kept.id]);
});

/** Moves the clock forward from here on. */
function advance(clock: { now(): number }, milliseconds: number): void {
  const now = clock.now.bind(clock);
  vi.spyOn(clock, "now").mockImplementation(() => now() + milliseconds);
}

test("the time that an effect waits for a shared transaction does not make it late", async () => {
  const { outbound } = aProcess();
  const groups: string[][] = [];
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const prepare: Begin = async (tx, wanted) => {
    groups.push([...wanted]);
    reached.resolve();
    await released.promise;
    return prepareAll(tx, wanted);
  };
  const [one, other] = [newId("att"), newId("att")];
  const first = performed(outbound, anOperation(), { id: one, prepare });
  await reached.promise;
  const second = performed(outbound, anOperation(), { id: other, prepare });
  for (const clock of [Date, performance]) advance(clock, lease_seconds * 1000);
  released.resolve();
  expect(await first).toMatchObject({ result: "settled", status: "settled" });
  expect(await second).toMatchObject({ result: "settled", status: "settled" });
  expect(groups).toEqual([[one], [other]]);
});

test.each([
  ["only the wall clock shows it, after a suspension", { hour: lease_seconds * 500, passing: 0 }],
  ["the wall clock was set back", { hour: -3_600_000, passing: lease_seconds * 500 }],
])("an effect is not sent half a lease after it was written, though %s", async (_why, by) => {
  const send = vi.fn(async () => "charged");
  const { outbound } = aProcess({
    crash_points: {
      async pass(point) {
        if (point !== "before send") return;
        advance(Date, by.hour);
        advance(performance, by.passing);
      },
    },
  });
  const refused = await performed(outbound, anOperation({ send }));
  expect(refused).toMatchObject({ result: "refused", status: "refused" });
  expect(refused).toMatchObject({ failure: { kind: "unreachable", party_code: "not_sent" } });
  expect(send).not.toHaveBeenCalled();
});
