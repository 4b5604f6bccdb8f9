import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../domain/values/ids.ts";
import { firstPage, type Page } from "../../http/paging.ts";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { countShipmentsUpTo, listShipments } from "./list-store.ts";

/** Pages of a search that leads to more rows than it reads, all of them older than thousands that it does not lead to. */

const account_id = "acc_many";
const matchCount = 7000;
const newerCount = 3000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await filledShipments.execute(database.db);
});
afterAll(() => database.close());

const now = Date.parse("2026-03-10T12:00:00.000Z");
const ids = Array.from({ length: matchCount + newerCount }, (_row, index) =>
  newId("shp", new Date(now + index * 1000)),
);
const matches = ids.slice(0, matchCount).toReversed();

/** Each text of a match is in another order than time; the tracking code of some begins with the same letters as their name. */
const filledShipments = sql`
  INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address, packages,
    order_number, tracking_code, created_at, updated_at)
  SELECT ${account_id}, id, 'courier', 'draft', 'X' || lpad(n::text, 6, '0'), '{}',
    CASE WHEN n <= ${matchCount} THEN jsonb_build_object('name',
      'rising' || lpad(n::text, 6, '0') || ' mixed' || lpad((n * 3571 % ${matchCount})::text, 6, '0'))
      ELSE '{"name": "Other"}' END, '{}', '[]',
    CASE WHEN n <= ${matchCount} THEN 'falling' || lpad((${matchCount} - n)::text, 6, '0') END,
    CASE WHEN n <= ${matchCount} AND n % 3 = 0 THEN 'mixed' || n END, at, at
  FROM (SELECT id, n, to_timestamp(${now / 1000} + n::int) AS at
    FROM unnest(${ids}::text[]) WITH ORDINALITY AS made (id, n)) AS rows`;

async function idsOf(q: string, page: Page): Promise<string[]> {
  const rows = await listShipments(database.db, { account_id, filters: { q }, page });
  return rows.map(({ id }) => id);
}

const next = (id: string): Page => ({ ...firstPage(1000), beside: { id, direction: "next" } });
const prev = (id: string): Page => ({ ...firstPage(1000), beside: { id, direction: "prev" } });

describe.each(["nothing", "all of it"])("of a table of which PostgreSQL knows %s", (known) => {
  beforeAll(async () => {
    if (known !== "nothing") await sql`ANALYZE shipments`.execute(database.db);
  });

  describe.each(["rising", "falling", "mixed"])("by a text that is %s in time", (q) => {
    test("the pages after one another have all matches, newest first", async () => {
      const all = await idsOf(q, firstPage(1000));
      while (all.length % 1000 === 0 && all.length < matchCount)
        all.push(...(await idsOf(q, next(all.at(-1)!))));
      expect(all).toEqual(matches);
      expect(await idsOf(q, next(all.at(-1)!))).toEqual([]);
    });

    test("the pages before one another have all matches, the nearest first", async () => {
      const all = await idsOf(q, prev(""));
      while (all.length % 1000 === 0 && all.length < matchCount)
        all.push(...(await idsOf(q, prev(all.at(-1)!))));
      expect(all).toEqual(matches.toReversed());
    });

    test("a page by number begins where the one before it ends, at any depth", async () => {
      for (const offset of [0, 25, 1000, 2500, 6990])
        expect(await idsOf(q, { ...firstPage(25), offset })).toEqual(
          matches.slice(offset, offset + 25),
        );
    });

    test("each match is counted once", async () => {
      const counted = (most: number) =>
        countShipmentsUpTo(database.db, { account_id, filters: { q } }, most);
      expect(await counted(10_000)).toBe(matchCount);
      expect(await counted(5000)).toBe(5000);
    });
  });
});
