import { readFileSync, writeFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { shownResponses } from "../../src/http/shown-responses.ts";
import { readOperations, type Document } from "../operations.ts";
import { aPlatform, must, type World } from "../world.ts";
import { aShop, ask } from "./makers.ts";
import { shown, shapeOf } from "./shown.ts";

/**
 * Every body that the document shows works unchanged, so that a reader may copy it, except for the ids of
 * shipments, which the reader replaces by its own; and every response that it shows is one that the
 * platform returns. `WAYBILL_RECORD_ANSWERS=1` records them anew. That the schemas
 * allow all of them is tested in `openapi-schemas.test.ts`.
 *
 * The database has the schema of a later release during these tests: every table has one more column, as it
 * is while processes of two releases run. No response publishes it.
 */

const isRecording = process.env["WAYBILL_RECORD_ANSWERS"] === "1";

// Some two hundred calls, each for a shop of its own: half a minute on two busy cores, and no promise of Waybill.
vi.setConfig({ testTimeout: 180_000 });

let world: World;
let document: Document;
beforeAll(async () => {
  world = await aPlatform();
  await addColumnToEveryTable();
  document = must(await (await aShop(world)).get<Document>("/openapi.json"), 200);
});
afterAll(() => world.close());

const laterColumn = "of_a_later_release";

async function addColumnToEveryTable(): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace`.execute(
    world.db,
  );
  for (const { name } of rows)
    await sql`ALTER TABLE ${sql.table(name)} ADD COLUMN ${sql.ref(laterColumn)} text NOT NULL DEFAULT 'unpublished'`.execute(
      world.db,
    );
}

test("every example of the document succeeds as it is shown, and answers as it shows", async () => {
  const operations = readOperations(document).filter(({ is_stream }) => !is_stream);
  const recorded: Record<string, unknown> = {};
  for (const operation of operations) {
    const { name, body, examples } = operation;
    expect(body === undefined || examples.length > 0, `${name} shows no body`).toBe(true);
    const bodies = examples.length > 0 ? examples : [{ summary: "no body", value: undefined }];
    for (const { summary, value } of bodies) {
      const reply = await ask(world, await aShop(world), { operation, body: value });
      const said = `${name}, ${summary}: ${reply.bytes.toString().slice(0, 500)}`;
      expect(reply.status, said).toBeLessThan(300);
      expect(reply.bytes.includes(laterColumn), said).toBe(false);
      if (reply.bytes.length > 0) recorded[name] ??= shown(reply.body, world.url);
    }
    if (!isRecording) expect(shapeOf(recorded[name]), name).toEqual(shapeOf(shownResponses[name]));
  }
  if (isRecording) record(recorded);
  expect(Object.keys(recorded).length).toBeGreaterThan(50);
});

const file = new URL("../../data/answers.json", import.meta.url);

function record(answers: Record<string, unknown>): void {
  const before = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  // A response in which only ids and times changed stays unchanged.
  const merged = Object.entries(answers).map(([name, answer]) => [
    name,
    JSON.stringify(shapeOf(answer)) === JSON.stringify(shapeOf(before[name]))
      ? before[name]
      : answer,
  ]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(merged), null, 2)}\n`);
}
