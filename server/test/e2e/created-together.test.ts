import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type ListOf, type Shipment } from "../client.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** Shipments that an account creates singly at the same moment share a transaction (ADR 34). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const references = Array.from({ length: 24 }, (_each, place) => `reference ${place}`);

/** Half of them with a key. */
function headersOf(place: number, reference: string): Record<string, string> {
  return place % 2 === 0 ? { "idempotency-key": reference } : {};
}

test("each request gets its own shipment, event and audit log entry, and its key the own answer", async () => {
  const account = await anAccount(world);
  const create = (reference: string, place: number) =>
    account.post<{ data: Shipment }>(
      "/shipments",
      aShipment({ reference }),
      headersOf(place, reference),
    );
  const replies = await Promise.all(references.map(create));
  const made = replies.map((reply) => must(reply, 201).data);
  expect(made.map(({ reference }) => reference)).toEqual(references);

  for (const [place, reference] of references.entries())
    if (place % 2 === 0)
      expect(must(await create(reference, place), 201).data).toEqual(made[place]);

  const listed = must(await account.get<ListOf<Shipment>>("/shipments?per_page=100"), 200).data;
  const ids = made.map(({ id }) => id).toSorted();
  expect(listed.map(({ id }) => id).toSorted()).toEqual(ids);
  for (const table of ["recorded_events", "audit_log"]) {
    const { rows } = await sql<{ subject_id: string; request_id: string }>`
      SELECT subject_id, request_id FROM ${sql.table(table)}
      WHERE account_id = ${account.account_id} AND subject_id = ANY(${ids}) ORDER BY subject_id`.execute(
      world.db,
    );
    expect(rows.map(({ subject_id }) => subject_id)).toEqual(ids);
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(ids.length);
  }
  const { rows } = await sql<{ transactions: number }>`
    SELECT count(DISTINCT xmin::text)::int AS transactions FROM shipments
    WHERE account_id = ${account.account_id}`.execute(world.db);
  expect(rows[0]!.transactions).toBeLessThan(references.length);
});

test("a request whose key another process took over is refused, and those beside it are answered", async () => {
  const account = await anAccount(world);
  // As if the other process did so just before the shipment is written.
  await sql`
    CREATE FUNCTION take_over() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.reference = 'reference 4' THEN
        UPDATE idempotency_keys SET holder_id = 'prc_other' WHERE account_id = NEW.account_id AND key = NEW.reference;
      END IF;
      RETURN NEW;
    END $$`.execute(world.db);
  await sql`
    CREATE TRIGGER take_over BEFORE INSERT ON shipments FOR EACH ROW EXECUTE FUNCTION take_over()`.execute(
    world.db,
  );
  const replies = await Promise.all(
    references.map((reference, place) =>
      account.post<{ data: Shipment }>(
        "/shipments",
        aShipment({ reference }),
        headersOf(place, reference),
      ),
    ),
  );
  await sql`DROP TRIGGER take_over ON shipments`.execute(world.db);
  expect(replies.map(outcomeOf)).toEqual(
    references.map((_each, place) => (place === 4 ? "409 idempotency_in_progress" : "201")),
  );
  const listed = must(await account.get<ListOf<Shipment>>("/shipments?per_page=100"), 200).data;
  expect(listed).toHaveLength(references.length - 1);
});
