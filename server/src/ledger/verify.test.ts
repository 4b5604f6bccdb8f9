import { sql, type RawBuilder } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerToDamage, findingsAfter, withoutTriggers } from "../../test/damaged-ledger.ts";
import { runCli } from "../../test/shell.ts";
import { aShipment } from "../../test/shipments.ts";
import { anAccount, aPlatform, must, type World } from "../../test/world.ts";
import { ledgerRules, namedPerRule, rowRules, verifyLedger } from "./verify.ts";

/**
 * Every rule of the ledger is broken once, and reports it; while nothing is broken, none reports anything.
 */

let world: World;
beforeAll(async () => {
  world = await ledgerToDamage();
});
afterAll(() => world.close());

/** What is found, without the messages: `rule subject`. */
async function found(...damages: RawBuilder<unknown>[]): Promise<string[]> {
  const findings = await findingsAfter(world.db, ...damages);
  expect(findings).not.toBeNull();
  return findings!.map(({ rule, subject }) => `${rule} ${subject}`);
}

/** The account with the most transactions, and those, oldest first. */
async function longestChain() {
  const rows = await world.db
    .selectFrom("ledger_transactions")
    .select(["account_id", "id", "type", "shipment_id"])
    .orderBy("sequence")
    .execute();
  const counts = Object.entries(Object.groupBy(rows, ({ account_id }) => account_id));
  const [account_id, chain] = counts.sort((a, b) => b[1]!.length - a[1]!.length)[0]!;
  const idOf = (type: string) => chain!.find((each) => each.type === type)!.id;
  return { account_id, ids: chain!.map(({ id }) => id), idOf };
}

const removal = (id: string) => [
  sql`DELETE FROM ledger_entries WHERE transaction_id = ${id}`,
  sql`DELETE FROM ledger_transactions WHERE id = ${id}`,
];

describe("a chain", () => {
  test("that lacks a transaction names the one after it", async () => {
    const { ids } = await longestChain();
    expect(await found(...removal(ids[2]!))).toEqual(
      expect.arrayContaining([`chain_hash ${ids[3]}`, `chain_sequence ${ids[3]}`]),
    );
  });

  test("that lacks its first transactions names the one that is first now", async () => {
    const { ids } = await longestChain();
    expect(await found(...removal(ids[0]!), ...removal(ids[1]!))).toContain(
      `chain_sequence ${ids[2]}`,
    );
  });

  test("whose tail was cut off names the last one that is left", async () => {
    const { ids } = await longestChain();
    expect(await found(...removal(ids.at(-1)!))).toContain(`chain_end ${ids.at(-2)}`);
  });

  test("of which nothing is left names the account", async () => {
    const { account_id } = await longestChain();
    const all = sql`DELETE FROM ledger_transactions WHERE account_id = ${account_id}`;
    expect(await found(all)).toContain(`chain_end ${account_id}`);
  });

  test("whose transaction is gone, but not its entries, names it", async () => {
    const { ids } = await longestChain();
    const [, transaction] = removal(ids[2]!);
    expect(await found(transaction!)).toContain(`entry_has_transaction ${ids[2]}`);
  });

  test("in which two transactions swapped positions names both", async () => {
    const { ids } = await longestChain();
    const swap = sql`UPDATE ledger_transactions SET sequence = 7 - sequence WHERE id IN (${ids[2]}, ${ids[3]})`;
    expect(await found(swap)).toEqual(
      expect.arrayContaining([`chain_hash ${ids[2]}`, `chain_hash ${ids[3]}`]),
    );
  });

  test("in which two transactions swapped their entries names both", async () => {
    const { ids } = await longestChain();
    const [one, other] = [ids[1], ids[2]];
    const swap = sql`UPDATE ledger_entries SET transaction_id = CASE transaction_id WHEN ${one} THEN ${other} ELSE ${one} END
      WHERE transaction_id IN (${one}, ${other})`;
    expect(await found(swap)).toEqual(
      expect.arrayContaining([`chain_hash ${one}`, `chain_hash ${other}`]),
    );
  });

  test("into which a transaction was inserted names it", async () => {
    const { ids } = await longestChain();
    const put = sql`INSERT INTO ledger_transactions
      SELECT (jsonb_populate_record(t, '{"id": "txn_put", "sequence": 4}')).* FROM ledger_transactions t WHERE id = ${ids[2]}`;
    expect(await found(put)).toContain("chain_hash txn_put");
  });

  test("of which only one hash was changed names that transaction and not its successor", async () => {
    const { ids } = await longestChain();
    const change = sql`UPDATE ledger_transactions SET hash = sha256(hash) WHERE id = ${ids[2]}`;
    expect(await found(change)).toEqual([`chain_hash ${ids[2]}`]);
  });
});

/** For each rule a damage that breaks it. */
async function damages(): Promise<Record<string, RawBuilder<unknown>>> {
  const { account_id, ids, idOf } = await longestChain();
  const transaction = (change: RawBuilder<unknown>, id: string) =>
    sql`UPDATE ledger_transactions SET ${change} WHERE id = ${id}`;
  const entry = (change: RawBuilder<unknown>, id: string) =>
    sql`UPDATE ledger_entries SET ${change} WHERE line = 1 AND transaction_id = ${id}`;
  const account = sql`WHERE account_id = ${account_id}`;
  const anHold = (status: string) =>
    sql`(SELECT id FROM holds WHERE status = ${status} ORDER BY id LIMIT 1)`;
  const shipmentOf = (id: string) =>
    sql`(SELECT shipment_id FROM ledger_transactions WHERE id = ${id})`;
  const [label, refund, topUp] = [idOf("label"), idOf("refund"), idOf("top_up")];
  return {
    chain_hash: transaction(sql`description = description || ' '`, label),
    chain_sequence: transaction(sql`sequence = 99`, ids.at(-1)!),
    chain_end: sql`UPDATE balances SET chain_length = chain_length - 1 ${account}`,
    entry_has_transaction: entry(sql`transaction_id = 'txn_none'`, label),
    entries_sum_to_zero: entry(sql`amount_cents = amount_cents - 1`, label),
    amount_is_its_credits: entry(sql`book = 'adjustments'`, label),
    amount_is_subtotal_and_tax: transaction(sql`tax_cents = tax_cents + 1`, label),
    one_currency: entry(sql`currency = 'USD'`, label),
    balance_is_sum_of_credits: sql`UPDATE balances SET balance_cents = balance_cents + 1 ${account}`,
    balance_walks: transaction(sql`balance_after_cents = balance_after_cents + 1`, label),
    available_is_not_negative: sql`UPDATE balances SET held_cents = balance_cents + 1 ${account}`,
    account_has_balance: sql`DELETE FROM balances ${account}`,
    entries_are_of_their_type: sql`UPDATE ledger_entries SET book = 'postage_revenue' WHERE book = 'tax_payable' AND transaction_id = ${label}`,
    held_is_sum_of_holds: sql`UPDATE balances SET held_cents = held_cents + 1 ${account}`,
    hold_has_one_attempt: sql`INSERT INTO holds SELECT (jsonb_populate_record(h, '{"id": "hld_none"}')).* FROM holds h WHERE id = ${anHold("captured")}`,
    attempt_has_hold: sql`DELETE FROM holds WHERE id = ${anHold("held")}`,
    hold_ends_with_attempt: sql`UPDATE holds SET status = 'released' WHERE id = ${anHold("held")}`,
    hold_ends_when_attempt_does: sql`UPDATE holds SET resolved_at = NULL WHERE id = ${anHold("captured")}`,
    label_paid_once: sql`UPDATE shipments SET purchased_at = now() WHERE status = 'draft'`,
    label_costs_its_debit: sql`UPDATE shipments SET cost_total_cents = 1 WHERE id = ${shipmentOf(label)}`,
    debit_is_of_its_type: sql`UPDATE shipments SET type = 'ltl' WHERE id = ${shipmentOf(label)}`,
    label_has_one_purchase: sql`UPDATE shipments SET purchase_reference = 'att_other' WHERE id = ${shipmentOf(label)}`,
    captured_hold_has_debit: sql`UPDATE holds SET amount_cents = amount_cents - 1 WHERE id = ${anHold("captured")}`,
    label_is_one_shipments: sql`UPDATE shipments SET tracking_code = 'same', carrier = 'same' WHERE status = 'purchased'`,
    refund_credited_once: transaction(sql`type = 'adjustment'`, refund),
    void_has_refund: sql`UPDATE shipments SET refund_status = NULL WHERE id = ${shipmentOf(refund)}`,
    refund_has_void: sql`UPDATE attempts SET status = 'refused' WHERE kind = 'label_void'`,
    cancelled_booking_has_fee: sql`UPDATE shipments SET cancellation = '{"fee_cents": 7}' WHERE id = ${shipmentOf(refund)}`,
    top_up_has_charge: transaction(sql`details = details || '{"reference": "att_other"}'`, topUp),
    charge_is_one_top_ups: transaction(sql`details = details - 'charge_id'`, topUp),
    pickup_costs_its_fees: sql`UPDATE pickup_parts SET fee_cents = fee_cents + 1`,
    driver_is_owed_his_fee: sql`UPDATE pickup_parts SET carrier_fee_cents = carrier_fee_cents + 1`,
    status_is_its_money: sql`UPDATE shipments SET status = 'draft' WHERE id = ${shipmentOf(label)}`,
    pending_status_has_attempt: sql`UPDATE shipments SET status = 'purchasing' WHERE status = 'draft'`,
    label_is_what_was_paid: sql`UPDATE shipments SET carrier_label_id = 'other' WHERE id = ${shipmentOf(label)}`,
    refund_is_of_its_moment: sql`UPDATE shipments SET refund_resolved_at = now() WHERE id = ${shipmentOf(refund)}`,
    carrier_is_owed_its_price: sql`UPDATE shipments SET carrier_cost_cents = carrier_cost_cents - 1 WHERE id = ${shipmentOf(label)}`,
    document_is_its_shipments: sql`UPDATE shipments SET documents = jsonb_set(documents, '{0,file_key}', '"other"') WHERE id = ${shipmentOf(label)}`,
    adjustment_is_audited: sql`DELETE FROM audit_log WHERE action = 'balance.adjusted'`,
    statement_follows_statement: sql`DELETE FROM statements WHERE id = (SELECT max(id) FROM statements WHERE status = 'ready')`,
    account_has_statements: sql`UPDATE accounts SET has_statements = false ${account}`,
    statement_is_its_transactions: sql`UPDATE statements SET labels_cents = labels_cents + 1, closing_cents = closing_cents + 1 WHERE status = 'ready'`,
    statement_has_its_files: sql`UPDATE statements SET pdf_key = (SELECT max(pdf_key) FROM statements) WHERE status = 'ready'`,
    answer_is_unchanged: sql`UPDATE idempotency_keys SET body = body || ' ' WHERE key = 'a key'`,
  };
}

test("each rule notices what breaks it, with a message for an operator", async () => {
  const all = await damages();
  // What the schema has to refuse has a test of its own: verify/schema.test.ts.
  expect(Object.keys(all)).toEqual(rowRules.map(({ rule }) => rule));
  for (const [rule, damage] of Object.entries(all)) {
    const findings = await findingsAfter(world.db, damage);
    const finding = findings?.find((each) => each.rule === rule);
    if (!finding) expect.fail(`${rule} did not notice: ${JSON.stringify(findings)}`);
    const { expected, found: there, account_id, subject } = finding;
    expect([expected, there, account_id, subject].every((text) => text.length > 0)).toBe(true);
    expect(expected).not.toBe(there);
  }
});

test("an entry on a book that does not fit its type is named by more than the chain", async () => {
  const { idOf } = await longestChain();
  const places = { refund: "postage_revenue", top_up: "cash", adjustment: "adjustments" } as const;
  for (const [type, book] of Object.entries(places))
    for (const other of ["carrier_costs", "tax_payable"]) {
      const moved = sql`UPDATE ledger_entries SET book = ${other} WHERE book = ${book} AND transaction_id = ${idOf(type)}`;
      expect(await found(moved)).toContain(`entries_are_of_their_type ${idOf(type)}`);
    }
});

describe("is named also without a forged hash:", () => {
  test("the last transaction, an adjustment, deleted, with balance and chain put right", async () => {
    const { account_id, ids } = await longestChain();
    const [before, last] = ids.slice(-2);
    const putRight = sql`UPDATE balances SET balance_cents = t.balance_after_cents, chain_length = t.sequence, chain_hash = t.hash
      FROM ledger_transactions t WHERE t.id = ${before} AND balances.account_id = t.account_id`;
    const line = await world.db
      .selectFrom("audit_log")
      .select("id")
      .where("account_id", "=", account_id)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(await found(...removal(last!), putRight)).toEqual([`adjustment_is_audited ${line.id}`]);
  });

  test("a statement whose run begins before the end of the one before", async () => {
    const overlap = sql`UPDATE statements SET after_sequence = after_sequence - 1, opening_cents = opening_cents + 1
      WHERE status = 'open' AND after_sequence > 0`;
    const open = await world.db
      .selectFrom("statements")
      .select("id")
      .where("status", "=", "open")
      .where("after_sequence", ">", 0)
      .executeTakeFirstOrThrow();
    expect(await found(overlap)).toContain(`statement_follows_statement ${open.id}`);
  });

  test("a voided, refunded shipment that is purchased again, and a label with another number", async () => {
    const { idOf } = await longestChain();
    const { shipment_id: voided } = await world.db
      .selectFrom("ledger_transactions")
      .select("shipment_id")
      .where("id", "=", idOf("refund"))
      .executeTakeFirstOrThrow();
    const lives = sql`UPDATE shipments SET status = 'purchased' WHERE id = ${voided}`;
    expect(await found(lives)).toEqual([`status_is_its_money ${voided}`]);
    const other = sql`UPDATE shipments SET carrier_label_id = 'x', tracking_code = 'y' WHERE id = ${voided}`;
    expect(await found(other)).toEqual([`label_is_what_was_paid ${voided}`]);
    const moment = sql`UPDATE shipments SET purchased_at = purchased_at + interval '1 second' WHERE id = ${voided}`;
    expect(await found(moment)).toEqual([`label_is_what_was_paid ${voided}`]);
  });

  test("a larger held amount than there is, with a hold and an attempt for it", async () => {
    const damages = [
      sql`UPDATE balances SET held_cents = held_cents + 10000000 WHERE held_cents > 0`,
      sql`UPDATE holds SET amount_cents = amount_cents + 10000000 WHERE status = 'held'`,
      sql`UPDATE attempts SET input = jsonb_set(input, '{price,total_cents}', to_jsonb((input #>> '{price,total_cents}')::bigint + 10000000))
        WHERE kind = 'label_purchase' AND status = 'review'`,
    ];
    const names = (await found(...damages)).map((each) => each.split(" ")[0]);
    expect(names).toEqual(["available_is_not_negative"]);
  });
});

test("a purchase that was posted twice, or never, is named in every way", async () => {
  const { idOf } = await longestChain();
  const label = idOf("label");
  const twice = sql`INSERT INTO ledger_transactions
    SELECT (jsonb_populate_record(t, '{"id": "txn_twice", "sequence": 99}')).* FROM ledger_transactions t WHERE id = ${label}`;
  const never = sql`DELETE FROM ledger_transactions WHERE id = ${label}`;
  const shipment = (
    await world.db
      .selectFrom("ledger_transactions")
      .select("shipment_id")
      .where("id", "=", label)
      .executeTakeFirstOrThrow()
  ).shipment_id;
  expect(await found(twice)).toContain(`label_paid_once ${shipment}`);
  const gone = await found(never);
  expect(gone).toContain(`label_paid_once ${shipment}`);
  expect(gone.some((each) => each.startsWith("captured_hold_has_debit hld_"))).toBe(true);
});

test("a ledger that is all wrong is named up to a limit for each rule", async () => {
  const { account_id, ids } = await longestChain();
  const many = sql`INSERT INTO ledger_transactions
    SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'txn_' || n, 'sequence', 100 + n))).*
    FROM ledger_transactions t, generate_series(1, ${namedPerRule + 500}::int) n WHERE account_id = ${account_id} AND id = ${ids[0]}`;
  const findings = await findingsAfter(world.db, many);
  const named = findings!.filter(({ rule }) => rule === "chain_hash");
  expect(named).toHaveLength(namedPerRule);
});

test("no rule is broken while labels are bought and voided and accounts topped up", async () => {
  const shops = await Promise.all([anAccount(world), anAccount(world)]);
  let isBusy = true;
  const work = Promise.all(
    [...shops, ...shops].map(async (shop) => {
      for (let index = 0; index < 4; index++) {
        const { id } = await shop.create(aShipment());
        await shop.bought(id);
        if (index % 2 === 0) must(await shop.post(`/shipments/${id}/void`), 200);
        must(await shop.post("/credits/top-up", { amount: 10 }), 201);
      }
    }),
  ).finally(() => (isBusy = false));
  let looks = 0;
  while (isBusy) {
    expect(await verifyLedger(world.db, rowRules)).toEqual([]);
    looks += 1;
  }
  await work;
  expect(looks).toBeGreaterThan(3);
});

test(
  "waybill verify-ledger exits 0 or 1, and prints lines or JSON",
  { timeout: 180_000 },
  async () => {
    const other = await aPlatform();
    const { account_id } = await anAccount(other);
    const sound = await runCli(["verify-ledger"], other);
    expect(sound).toMatchObject({ status: 0 });
    expect(sound.stdout.toString()).toContain("The books hold");
    const subject = await withoutTriggers(other.db, async (tx) => {
      const damage = sql<{
        id: string;
      }>`UPDATE ledger_transactions SET created_at = now() RETURNING id`;
      return (await damage.execute(tx)).rows[0]!.id;
    });
    const [words, json] = await Promise.all([
      runCli(["verify-ledger"], other),
      runCli(["verify-ledger", "--json"], other),
    ]);
    expect([words.status, json.status]).toEqual([1, 1]);
    expect(words.stdout.toString()).toContain(`chain_hash: ${account_id} ${subject}: expected `);
    const lines = json.stdout.toString().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ rule: "chain_hash", account_id, subject }),
      { rules: ledgerRules.length, contradictions: 1 },
    ]);
    await other.close();
  },
);
