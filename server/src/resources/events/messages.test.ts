import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { inTransaction } from "../../database/connect.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { sampleOf } from "../../domain/events/sample.ts";
import { newId } from "../../domain/values/ids.ts";
import { placer } from "../../events/feed/place.ts";
import { followFeeds } from "../../events/feed/tail.ts";
import { recordEvents } from "../../events/outbox.ts";
import { messagesOf } from "./messages.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function happened(account_id: string, count: number): Promise<void> {
  const type = "order.created";
  const { data } = sampleOf(type);
  const event = { account_id, type, subject_id: "ord_any", data, by: bySystem("test") } as const;
  await inTransaction(database.db, (tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, () => event),
    ),
  );
  const place = placer(database.db);
  while ((await place()).count > 0);
}

/** The next message's cursor; undefined for one without an event. */
async function next(messages: AsyncGenerator<string>): Promise<string | undefined> {
  const { value } = (await messages.next()) as { value: string };
  return /^id: (\d+)$/m.exec(value)?.[1];
}

test("a reader that caught up before the tail did is sent what came between", async () => {
  const { db } = database;
  const account_id = newId("acc");
  const ending = new AbortController();
  const tail = followFeeds(db, () => undefined);
  const open = () =>
    messagesOf({
      db,
      tail,
      account_id,
      environment: "test",
      types: null,
      position: 0,
      ends: ending.signal,
      fellBehind: () => ending.abort(),
    });
  const [slow, quick] = [open(), open()];
  await happened(account_id, 2);
  for (const each of [slow, quick])
    expect([await next(each), await next(each), await next(each)]).toEqual([undefined, "1", "2"]);
  // The slow one has read to the end, and does not listen yet.
  const third = next(quick);
  await happened(account_id, 2);
  expect([await third, await next(quick)]).toEqual(["3", "4"]);
  const later = next(slow);
  expect(await later).toBe("3");
  expect(await next(slow)).toBe("4");
  ending.abort();
  await Promise.all([slow.return(undefined), quick.return(undefined)]);
});
