import { sql } from "kysely";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aToken, call, testApi, type TestApi } from "./api.ts";
import { inTransaction } from "../src/database/connect.ts";
import { json, type TransactionType } from "../src/database/tables.ts";
import { manualClock } from "../src/domain/time/clock.ts";
import { newId } from "../src/domain/values/ids.ts";
import { openBalance, post, type Posting } from "../src/ledger/ledger.ts";
import { makeNext } from "../src/resources/billing/make-files.ts";
import { closeNext, openFirst } from "../src/resources/billing/months.ts";
import type { Statement } from "../src/resources/billing/schemas.ts";

/** A platform whose clock the test sets, accounts with a ledger, and the worker's rounds. */

export interface StatementsWorld extends TestApi {
  clock: ReturnType<typeof manualClock>;
  /** Another process on the same database, with the same files. */
  beside: TestApi;
}

export async function aStatementsWorld(now: string): Promise<StatementsWorld> {
  const clock = manualClock(new Date(now));
  const folder = await mkdtemp(join(tmpdir(), "waybill-statements-"));
  const settings = { WAYBILL_DATA_DIR: folder, WAYBILL_RATE_LIMITS: "off" };
  const api = await testApi({ clock, settings });
  const beside = await testApi({ clock, settings, beside: api });
  return {
    ...api,
    clock,
    beside,
    async close() {
      await beside.close();
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Holder {
  account_id: string;
  /** A client's GET of a path. */
  get(path: string): ReturnType<typeof call>;
  statements(): Promise<Statement[]>;
}

/** An account whose ledger is open since that moment. */
export async function aHolder(
  world: StatementsWorld,
  {
    since,
    time_zone = "America/Toronto",
    name = "Maple & Pine Goods",
  }: {
    since: string;
    time_zone?: string;
    name?: string;
  },
): Promise<Holder> {
  const account_id = newId("acc");
  const organization_id = newId("org");
  await inTransaction(world.db, async (tx) => {
    const organization = { id: organization_id, name, owner_email: "owner@example.com" };
    await tx.insertInto("organizations").values(organization).execute();
    const account = { account_id, organization_id, environment: "test" as const, time_zone };
    await tx
      .insertInto("accounts")
      .values({
        ...account,
        default_from_address: json(null),
        suspended_at: null,
        created_at: new Date(since),
      })
      .execute();
    await openBalance(tx, account_id, "CAD");
  });
  const caller = { account_id, environment: "test" as const };
  const token = await aToken(world, caller, { scopes: ["billing:read"] });
  const get = (path: string) => call(world, { token, path });
  return {
    account_id,
    get,
    async statements() {
      const reply = await get("/billing/statements?per_page=100");
      return reply.json<{ data: Statement[] }>().data;
    },
  };
}

/** The worker's loops, round by round until there is nothing left. */
export async function work({ platform }: Pick<TestApi, "platform">): Promise<void> {
  const { signal } = new AbortController();
  for (let isMore = true; isMore;) {
    const opened = await openFirst(platform);
    const closed = await closeNext(platform);
    isMore = (await makeNext(platform, signal)) || opened || closed;
  }
}

export interface Move {
  at: string;
  type: TransactionType;
  /** Its change of the balance, taxes included. */
  amount_cents: number;
  tax_cents?: number;
  description?: string;
  shipment_id?: string | null;
  details?: Record<string, unknown>;
}

/** Enters a transaction as the product does: the tax has no sign where money goes out. */
export async function enter(world: TestApi, account_id: string, move: Move): Promise<string> {
  const { at, type, amount_cents, tax_cents = 0 } = move;
  const sign = amount_cents < 0 && type !== "adjustment" ? -1 : 1;
  const posting: Posting = {
    account_id,
    type,
    subtotal_cents: sign * (amount_cents - tax_cents),
    tax_cents: sign * tax_cents,
    currency: "CAD",
    description: move.description ?? `A ${type}`,
    shipment_id: move.shipment_id ?? null,
    details: move.details ?? {},
    entries: [
      { book: "credits", amount_cents },
      { book: "postage_revenue", amount_cents: tax_cents - amount_cents },
      { book: "tax_payable", amount_cents: -tax_cents },
    ],
    at: new Date(at),
  };
  const posted = await inTransaction(world.db, (tx) => post(tx, posting));
  return posted.transaction_id;
}

/** A purchased shipment, as far as statements read it. */
export async function aPurchasedShipment(
  { db }: TestApi,
  account_id: string,
  facts: {
    order_number?: string;
    tracking_code?: string;
    taxes: { name: string; amount: number }[];
  },
): Promise<string> {
  const id = newId("shp");
  const { order_number = null, tracking_code = null, taxes } = facts;
  await sql`
    INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address, packages,
      order_number, carrier, service, tracking_code, selected_rate, created_at, updated_at)
    VALUES (${account_id}, ${id}, 'courier', 'purchased', 'SH', '{}', '{}', '{}', '[]',
      ${order_number}, 'ups', 'ups.standard', ${tracking_code}, ${json({ taxes })}, now(), now())`.execute(
    db,
  );
  return id;
}
