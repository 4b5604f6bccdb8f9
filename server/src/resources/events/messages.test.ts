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

/** The next event's cursor; undefined for a message without an event. */
async function next(messages: AsyncGenerator<string>): Promise<string | undefined> {
  const { value } = (await messages.next()) as { value: string };
  return /^id: (\d+)\nevent: /m.exec(value)?.[1];
}

function reading(account_id: string, ending: AbortController, ping_ms?: number) {
  const { db } = database;
  return {
    db,
    tail: followFeeds(db, () => undefined),
    account_id,
    environment: "test",
    types: null,
    position: 0,
    ends: ending.signal,
    fellBehind: () => ending.abort(),
    ...(ping_ms === undefined ? {} : { ping_ms }),
  } as const;
}

test("a reader that caught up before the tail did is sent what came between", async () => {
  const account_id = newId("acc");
  const ending = new AbortController();
  const listening = reading(account_id, ending);
  const open = () => messagesOf(listening);
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

test("a reader without events is sent a comment each time the interval is over, and then what happens", async () => {
  const account_id = newId("acc");
  const ending = new AbortController();
  const messages = messagesOf(reading(account_id, ending, 20));
  const values: unknown[] = [];
  for (let count = 0; count < 3; count++) values.push((await messages.next()).value);
  expect(values).toEqual(["id: 0\nretry: 1000\n\n", ": ping\n\n", ": ping\n\n"]);
  await happened(account_id, 1);
  let cursor = await next(messages);
  while (cursor === undefined) cursor = await next(messages);
  expect(cursor).toBe("1");
  ending.abort();
  await messages.return(undefined);
});
