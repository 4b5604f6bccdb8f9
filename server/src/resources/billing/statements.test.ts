import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bySystem } from "../../domain/accounts/principal.ts";
import { inTransaction } from "../../database/connect.ts";
import {
  statementStatuses,
  statementTransitions,
  type StatementStatus,
} from "../../domain/billing/statement-states.ts";
import { newId } from "../../domain/values/ids.ts";
import { openOrganization } from "../admin/create-organization.ts";
import { closeNext, openFirst } from "./months.ts";
import { getStatement } from "./store.ts";
import {
  aHolder,
  aStatementsWorld,
  enter,
  work,
  type StatementsWorld,
} from "../../../test/statements.ts";
import * as workStore from "./work-store.ts";

let world: StatementsWorld;
beforeAll(async () => {
  world = await aStatementsWorld("2026-11-21T12:00:00Z");
});
afterAll(() => world.close());

test("months that were not closed are caught up, one statement each, and the running one is open", async () => {
  const holder = await aHolder(world, { since: "2026-09-10T12:00:00Z" });
  await enter(world, holder.account_id, top("2026-09-12T12:00:00Z", 5000));
  await enter(world, holder.account_id, top("2026-11-02T12:00:00Z", 100));
  await work(world);
  expect(await holder.statements()).toMatchObject([
    {
      number: "2026-11",
      status: "open",
      pdf_ready: false,
      transaction_count: 1,
      opening_balance: 50,
      closing_balance: 51,
      totals: { top_ups: 1, labels: 0 },
    },
    {
      number: "2026-10",
      period_start: "2026-10-01",
      period_end: "2026-10-31",
      opening_balance: 50,
      closing_balance: 50,
      transaction_count: 0,
      status: "ready",
    },
    { number: "2026-09", opening_balance: 0, closing_balance: 50, pdf_ready: true },
  ]);
});

test("a ledger that is older than its account begins with its first transaction", async () => {
  const holder = await aHolder(world, { since: "2026-11-20T12:00:00Z" });
  await enter(world, holder.account_id, top("2026-10-12T12:00:00Z", 5000));
  await work(world);
  expect((await holder.statements()).map(({ number }) => number)).toEqual(["2026-11", "2026-10"]);
});

test("a month ends at midnight of the account's own clocks, to the millisecond", async () => {
  const midnights = {
    "America/Toronto": "2026-11-01T04:00:00.000Z",
    "America/Vancouver": "2026-11-01T07:00:00.000Z",
    "Pacific/Auckland": "2026-10-31T11:00:00.000Z",
    "Asia/Kathmandu": "2026-10-31T18:15:00.000Z",
  };
  for (const [time_zone, midnight] of Object.entries(midnights)) {
    const holder = await aHolder(world, { since: "2026-10-10T12:00:00Z", time_zone });
    const before = new Date(Date.parse(midnight) - 1).toISOString();
    await enter(world, holder.account_id, top(before, 100));
    await enter(world, holder.account_id, top(midnight, 7));
    await work(world);
    expect((await holder.statements()).map(({ closing_balance }) => closing_balance)).toEqual([
      ...[1.07, 1],
    ]);
  }
});

test("a statement is made when its month is over, and not before", async () => {
  const earlier = await aStatementsWorld("2026-11-01T03:59:59.999Z");
  const holder = await aHolder(earlier, { since: "2026-10-10T12:00:00Z" });
  await work(earlier);
  expect((await holder.statements()).map(({ status }) => status)).toEqual(["open"]);
  // A minute of grace is for purchases in progress.
  earlier.clock.set(new Date("2026-11-01T04:01:00.000Z"));
  await work(earlier);
  const [running, october] = await holder.statements();
  expect(running).toMatchObject({ number: "2026-11", status: "open" });
  expect(october).toMatchObject({ status: "ready", created_at: "2026-11-01T04:01:00.000Z" });
  await earlier.close();
});

test("late entries are on the next statement, and a ready one never changes", async () => {
  const holder = await aHolder(world, { since: "2026-10-01T12:00:00Z" });
  await enter(world, holder.account_id, top("2026-10-02T12:00:00Z", 5000));
  await work(world);
  const [, october] = await holder.statements();
  await enter(world, holder.account_id, top("2026-10-31T12:00:00Z", 100));
  await work(world);
  const [november, after] = await holder.statements();
  expect(after).toEqual(october);
  expect(november).toMatchObject({
    opening_balance: 50,
    closing_balance: 51,
    transaction_count: 1,
  });
  const change = world.db
    .updateTable("statements")
    .set({ closing_cents: 0 })
    .where("id", "=", october!.id);
  await expect(change.execute()).rejects.toThrow("never changes");
});

test("the running month shows the ledger's current totals, however often and late it is read", async () => {
  const holder = await aHolder(world, { since: "2026-11-01T12:00:00Z" });
  await work(world);
  for (let place = 1; place <= 450; place++) {
    await enter(world, holder.account_id, top("2026-11-02T12:00:00Z", 1));
    if (place % 150 !== 0) continue;
    const [open] = await holder.statements();
    const one = await holder.get(`/billing/statements/${open!.id}`);
    expect(one.json<{ data: object }>().data).toEqual(open);
    expect(open).toMatchObject({ closing_balance: place / 100, transaction_count: place });
    for (const file of ["pdf", "transactions.csv"]) {
      const refused = await holder.get(`/billing/statements/${open!.id}/${file}`);
      expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([409, "60"]);
      const { error } = refused.json<{ error: object }>();
      expect(error).toMatchObject({ code: "statement_not_ready", details: { status: "open" } });
    }
  }
});

test("an account that changes its time zone keeps its month, and the next one follows the new zone", async () => {
  const moving = await aStatementsWorld("2026-10-10T12:00:00Z");
  const holder = await aHolder(moving, { since: "2026-10-10T12:00:00Z" });
  await work(moving);
  await moving.db.updateTable("accounts").set({ time_zone: "Pacific/Auckland" }).execute();
  await enter(moving, holder.account_id, top("2026-10-31T12:00:00Z", 100));
  await enter(moving, holder.account_id, top("2026-11-30T10:59:59Z", 100));
  await enter(moving, holder.account_id, top("2026-11-30T11:00:00Z", 100));
  moving.clock.set(new Date("2026-12-01T12:00:00Z"));
  await work(moving);
  expect((await holder.statements()).map((each) => each.closing_balance)).toEqual([3, 2, 1]);
  await moving.close();
});

test("an account whose months cannot be closed keeps no other account waiting", async () => {
  const since = "2026-10-10T12:00:00Z";
  const stuck = await aHolder(world, { since });
  const mars = await aHolder(world, { since, time_zone: "Mars/Olympus" });
  await openFirst(world.platform);
  // Its next month exists already, so that it cannot be opened.
  const [open] = await openOf(stuck.account_id);
  const next = { id: newId("stm"), number: "2026-11", due_at: null };
  await world.db
    .insertInto("statements")
    .values({ ...open!, ...next })
    .execute();
  const later = await aHolder(world, { since });
  await work(world);
  for (const each of [mars, later])
    expect((await each.statements()).map(({ status }) => status)).toEqual(["open", "ready"]);
  expect((await openOf(stuck.account_id)).map(({ number }) => number)).toEqual([
    ...["2026-10", "2026-11"],
  ]);
});

async function openOf(accountId: string) {
  return world.db
    .selectFrom("statements")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("status", "=", "open")
    .orderBy("number")
    .execute();
}

test("no month is closed while a restored database is not reconciled", async () => {
  const holder = await aHolder(world, { since: "2026-10-10T12:00:00Z" });
  const id = newId("rst");
  const restore = { id, taken_at: new Date(), restored_at: new Date() };
  await world.db.insertInto("restores").values(restore).execute();
  await work(world);
  expect(await holder.statements()).toEqual([]);
  await world.db.deleteFrom("restores").where("id", "=", id).execute();
  await work(world);
  expect((await holder.statements()).map(({ status }) => status)).toEqual(["open", "ready"]);
});

test("an account has its first statement as soon as it is opened", async () => {
  const by = bySystem("test");
  const organization = { name: "New", owner_email: "new@example.com", by };
  const { accounts } = await inTransaction(world.db, (tx) =>
    openOrganization(world.platform, tx, organization),
  );
  for (const { id: account_id } of accounts) expect(await statusesOf(account_id)).toEqual(["open"]);
});

test("a link opens the file with its type and length, by GET and HEAD, and nothing else does", async () => {
  const holder = await aHolder(world, { since: "2026-10-10T12:00:00Z" });
  await work(world);
  const [, october] = await holder.statements();
  const types = { pdf: "application/pdf", "transactions.csv": "text/csv; charset=utf-8" };
  for (const [file, type] of Object.entries(types)) {
    const link = await holder.get(`/billing/statements/${october!.id}/${file}`);
    const { url, expires_at } = link.json<{ data: { url: string; expires_at: string } }>().data;
    expect(expires_at).toBe("2026-11-21T12:30:00.000Z");
    const path = url.slice(new URL(url).origin.length);
    const got = await world.app.inject(path);
    const asked = await world.app.inject({ method: "HEAD", url: path });
    expect([got.statusCode, asked.statusCode, asked.body]).toEqual([200, 200, ""]);
    for (const { headers } of [got, asked]) {
      const { "content-type": contentType, "content-length": length } = headers;
      expect([contentType, Number(length)]).toEqual([type, got.rawPayload.length]);
    }
    const posted = await world.app.inject({ method: "POST", url: path });
    expect(posted.statusCode).toBe(404);
    world.clock.advance(30 * 60_000);
    const late = await world.app.inject(path);
    expect([late.statusCode, late.json<{ error: { code: string } }>().error.code]).toEqual([
      ...[403, "url_expired"],
    ]);
    world.clock.advance(-30 * 60_000);
  }
});

test("any number of workers make each statement once", async () => {
  const since = "2026-05-10T12:00:00Z";
  const holders = await Promise.all([1, 2, 3].map(() => aHolder(world, { since })));
  await Promise.all([work(world), work(world.beside), work(world), work(world.beside)]);
  await work(world);
  for (const holder of holders) {
    const made = (await holder.statements()).map(({ number, status }) => `${number} ${status}`);
    expect(made).toEqual([
      "2026-11 open",
      ...["10", "09", "08", "07", "06", "05"].map((month) => `2026-${month} ready`),
    ]);
    const events = await world.db
      .selectFrom("recorded_events")
      .select("subject_id")
      .where("account_id", "=", holder.account_id)
      .where("type", "=", "statement.ready")
      .execute();
    expect(new Set(events.map((each) => each.subject_id)).size).toBe(6);
    expect(events).toHaveLength(6);
  }
});

test("the files of a dead worker are made by another, those of a live one by no other", async () => {
  const holder = await aHolder(world, { since: "2026-10-10T12:00:00Z" });
  const held = async (holder_id: string) => {
    await world.db
      .updateTable("statements")
      .set({ holder_id })
      .where("account_id", "=", holder.account_id)
      .where("status", "=", "generating")
      .execute();
    await work(world);
    return (await holder.statements()).map(({ status }) => status);
  };
  await closeOnly(holder.account_id);
  expect(await held(world.beside.platform.process_id)).toEqual(["open", "generating"]);
  const [, generating] = await holder.statements();
  const refused = await holder.get(`/billing/statements/${generating!.id}/pdf`);
  expect(refused.statusCode).toBe(409);
  expect(await held("prc_dead")).toEqual(["open", "ready"]);
});

/** Closes months that are over, and makes no files. */
async function closeOnly(accountId: string): Promise<void> {
  await openFirst(world.platform);
  while (await closeNext(world.platform));
  expect((await statusesOf(accountId)).sort()).toEqual(["generating", "open"]);
}

async function statusesOf(accountId: string): Promise<StatementStatus[]> {
  const rows = await world.db
    .selectFrom("statements")
    .select("status")
    .where("account_id", "=", accountId)
    .execute();
  return rows.map(({ status }) => status);
}

describe("a statement moves as its table says", () => {
  const keys = {
    pdf_key: "a/1.pdf",
    pdf_bytes: 0,
    pdf_sha256: "",
    csv_key: "a/1.csv",
    csv_bytes: 0,
    csv_sha256: "",
  };
  for (const from of statementStatuses)
    for (const to of statementStatuses)
      test(`${from} → ${to}: ${statementTransitions[from].includes(to) ? "allowed" : "refused"}`, async () => {
        const { account_id } = await aHolder(world, { since: "2026-10-10T12:00:00Z" });
        const id = await inState(account_id, from);
        const row = await getStatement(world.db, account_id, id);
        const move = {
          open: () =>
            world.db
              .updateTable("statements")
              .set({ status: "open" })
              .where("id", "=", id)
              .where("status", "=", "ready")
              .execute(),
          generating: () =>
            inTransaction(world.db, (tx) => workStore.closeMonth(tx, row, new Date())),
          ready: () => inTransaction(world.db, (tx) => workStore.makeReady(tx, row, keys)),
        }[to];
        await Promise.resolve(move()).catch(() => null);
        const { status } = await getStatement(world.db, account_id, id);
        const isAllowed = statementTransitions[from].includes(to);
        expect(status).toBe(isAllowed ? to : from);
      });

  async function inState(account_id: string, status: StatementStatus): Promise<string> {
    await work(world);
    const open = await world.db
      .selectFrom("statements")
      .selectAll()
      .where("account_id", "=", account_id)
      .where("status", "=", "open")
      .executeTakeFirstOrThrow();
    await inTransaction(world.db, async (tx) => {
      if (status !== "open") await workStore.closeMonth(tx, open, new Date("2099-01-01"));
      if (status === "ready") await workStore.makeReady(tx, open, keys);
    });
    return open.id;
  }
});

function top(at: string, amount_cents: number) {
  return { at, type: "top_up" as const, amount_cents };
}
