import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../../test/api.ts";
import { inTransaction } from "../../database/connect.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { eventTypes, type EventType } from "../../domain/events/catalogue.ts";
import { sampleOf } from "../../domain/events/sample.ts";
import { placer } from "../../events/feed/place.ts";
import { recordEvents, type Event as NewEvent } from "../../events/outbox.ts";
import type { EventTypeDescription, Event, EventPage } from "./schemas.ts";

let api: TestApi;
let place: ReturnType<typeof placer>;
beforeAll(async () => {
  api = await testApi({});
  place = placer(api.db);
});
afterAll(() => api.close());

interface Reader {
  account_id: string;
  token: string;
}

async function aReader(): Promise<Reader> {
  const account = await anAccount(api);
  const token = await aToken(api, account, { scopes: ["webhooks:read"] });
  // The event of the token itself.
  await sql`DELETE FROM event_outbox WHERE account_id = ${account.account_id}`.execute(api.db);
  return { ...account, token };
}

/** Events of these types, placed in this order. */
async function happened(reader: Reader, types: EventType[], subject_id?: string): Promise<void> {
  await record(reader, types, subject_id);
  while ((await place()).count > 0);
}

async function record(
  { account_id }: Reader,
  types: EventType[],
  subject_id = "shp_any",
): Promise<void> {
  const by = bySystem("test");
  await inTransaction(api.db, (tx) =>
    recordEvents(
      tx,
      types.map(
        (type) => ({ account_id, type, subject_id, data: sampleOf(type).data, by }) as NewEvent,
      ),
    ),
  );
}

const get = ({ token }: Reader, path: string) => call(api, { token, path });

async function page(reader: Reader, query = ""): Promise<EventPage> {
  const response = await get(reader, `/events${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<EventPage>();
}

const cursorsOf = ({ data }: EventPage) => data.map(({ cursor }) => cursor);
const typesOf = ({ data }: EventPage) => data.map(({ type }) => type);

describe("a page", () => {
  test("has the events behind a cursor, oldest first, and where to read on", async () => {
    const reader = await aReader();
    expect(await page(reader)).toEqual({ data: [], meta: { next_cursor: "0", caught_up: true } });
    await happened(reader, ["order.created", "shipment.created", "shipment.voided"]);
    const first = await page(reader, "?limit=2");
    expect(cursorsOf(first)).toEqual(["1", "2"]);
    expect(first.meta).toEqual({ next_cursor: "2", caught_up: false });
    const second = await page(reader, "?limit=2&after=2");
    expect(cursorsOf(second)).toEqual(["3"]);
    expect(second.meta).toEqual({ next_cursor: "3", caught_up: true });
    expect((await page(reader, "?after=3")).meta).toEqual(second.meta);
    expect(second.data[0]).toEqual({
      id: expect.stringMatching(/^evt_/) as string,
      type: "shipment.voided",
      timestamp: expect.any(String) as string,
      api_version: "v5",
      environment: "test",
      subject_id: "shp_any",
      sequence: 3,
      cursor: "3",
      request_id: null,
      actor: { type: "system", id: "test" },
      data: sampleOf("shipment.voided").data,
    });
  });

  test("is of the types and the subject that are asked for, and reads on behind the others", async () => {
    const reader = await aReader();
    await happened(reader, ["order.created", "shipment.created", "token.created"]);
    await happened(reader, ["shipment.voided", "order.fulfilled"], "shp_other");
    expect(typesOf(await page(reader, "?types=*"))).toHaveLength(5);
    expect(typesOf(await page(reader, "?types=shipment.*,%20token.created"))).toEqual([
      "shipment.created",
      "token.created",
      "shipment.voided",
    ]);
    const one = await page(reader, "?types=order.created");
    expect([cursorsOf(one), one.meta]).toEqual([["1"], { next_cursor: "5", caught_up: true }]);
    expect(cursorsOf(await page(reader, "?subject_id=shp_other"))).toEqual(["4", "5"]);
    expect(cursorsOf(await page(reader, "?subject_id=shp_other&after=4"))).toEqual(["5"]);
    expect(cursorsOf(await page(reader, "?subject_id=shp_other&types=shipment.*"))).toEqual(["4"]);
  });

  test("is in the order of positions, whatever the order of insertion", async () => {
    const reader = await aReader();
    await happened(reader, ["order.created", "order.fulfilled", "shipment.created"]);
    await sql`UPDATE events SET made = -position WHERE account_id = ${reader.account_id}`.execute(
      api.db,
    );
    expect(cursorsOf(await page(reader))).toEqual(["1", "2", "3"]);
  });

  test("is found by walking, however few events match", async () => {
    const reader = await aReader();
    await happened(reader, ["order.created"]);
    await sql`INSERT INTO events (account_id, id, type, subject_id, data, position, sequence)
      SELECT ${reader.account_id}, 'evt_' || n, 'shipment.created', 'shp_' || n, '{}', n, 1
      FROM generate_series(2, 15000) AS n`.execute(api.db);
    await sql`UPDATE event_feeds SET last_position = 15000 WHERE account_id = ${reader.account_id}`.execute(
      api.db,
    );
    const first = await page(reader, "?types=order.*");
    expect([cursorsOf(first), first.meta]).toEqual([
      ["1"],
      { next_cursor: "10000", caught_up: false },
    ]);
    const second = await page(reader, "?types=order.*&after=10000");
    expect(second).toEqual({ data: [], meta: { next_cursor: "15000", caught_up: true } });
  });

  test.each([
    ["?after=-1", "after"],
    ["?after=01", "after"],
    ["?after=x", "after"],
    ["?after=2", "after"],
    ["?after=99999999999999999999", "after"],
    ["?types=shipmint.*", "types"],
    ["?types=order.created,,", "types"],
    ["?limit=1001", "limit"],
    ["?limit=0", "limit"],
    ["?wait=26", "wait"],
    ["?wait=soon", "wait"],
  ])("with %s is refused at the parameter", async (query, parameter) => {
    const reader = await aReader();
    await happened(reader, ["order.created"]);
    const response = await get(reader, `/events${query}`);
    expect(response.statusCode, response.body).toBe(422);
    expect(Object.keys(response.json<{ error: { details: object } }>().error.details)).toEqual([
      parameter,
    ]);
  });

  test("behind a cursor of what is gone is refused with the oldest cursor that is kept", async () => {
    const reader = await aReader();
    await happened(reader, ["order.created", "order.fulfilled", "order.created"]);
    await sql`UPDATE event_feeds SET pruned_position = 2 WHERE account_id = ${reader.account_id}`.execute(
      api.db,
    );
    for (const after of ["0", "1"]) {
      const response = await get(reader, `/events?after=${after}`);
      expect(response.statusCode).toBe(410);
      expect(response.json()).toMatchObject({
        error: { code: "cursor_expired", details: { oldest_cursor: "2" } },
      });
    }
    expect(cursorsOf(await page(reader, "?after=2"))).toEqual(["3"]);
    expect(cursorsOf(await page(reader))).toEqual(["3"]);
  });
});

describe("a page that waits", () => {
  test("is answered once there is a matching event", async () => {
    const reader = await aReader();
    await happened(reader, ["order.created"]);
    const waiting = page(reader, "?after=1&types=shipment.*&wait=25");
    await happened(reader, ["order.fulfilled"]);
    await happened(reader, ["shipment.created"]);
    expect(cursorsOf(await waiting)).toEqual(["3"]);
  });

  test("is answered empty when the time is over, and at once when there is something", async () => {
    const reader = await aReader();
    const begin = performance.now();
    expect((await page(reader, "?wait=1")).data).toEqual([]);
    expect(performance.now() - begin).toBeGreaterThan(950);
    await happened(reader, ["order.created"]);
    expect(cursorsOf(await page(reader, "?wait=25"))).toEqual(["1"]);
  });

  test("holds no slot that others need, and no connection", async () => {
    const small = await testApi({
      beside: api,
      settings: {
        WAYBILL_ACCOUNT_REQUESTS_IN_WORK_MAX: "2",
      },
    });
    try {
      const reader = await aReader();
      const asked = Array.from({ length: 12 }, () =>
        call(small, { token: reader.token, path: "/events?wait=25" }),
      );
      // Each of them reads first, with a slot; then all wait.
      await Promise.race([
        ...asked,
        vi.waitFor(async () => {
          const answered = await call(small, { token: reader.token, path: "/event-types" });
          expect(answered.statusCode).toBe(200);
        }),
      ]);
      await happened(reader, ["order.created"]);
      const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    } finally {
      await small.close();
    }
  });
});

test("one event is shown by its id, to its account only, once it is placed", async () => {
  const [reader, other] = [await aReader(), await aReader()];
  await happened(reader, ["order.created"]);
  const [event] = (await page(reader)).data;
  const shown = await get(reader, `/events/${event!.id}`);
  expect(shown.json<{ data: Event }>().data).toEqual(event);
  expect((await get(other, `/events/${event!.id}`)).statusCode).toBe(404);
  await record(reader, ["order.fulfilled"]);
  const { rows } = await sql<{ id: string }>`
    SELECT events -> 0 ->> 'id' AS id FROM event_outbox WHERE account_id = ${reader.account_id}`.execute(
    api.db,
  );
  expect((await get(reader, `/events/${rows[0]!.id}`)).statusCode).toBe(404);
});

test("every type of the catalogue is listed with a sample that its schema allows", async () => {
  const response = await get(await aReader(), "/event-types");
  const { data } = response.json<{ data: EventTypeDescription[] }>();
  expect(data.map(({ type }) => type)).toEqual(Object.keys(eventTypes));
  for (const { type, summary, sample } of data) {
    expect(summary).toBe(eventTypes[type].summary);
    expect(sample).toMatchObject({ type, api_version: "v5", sequence: 1 });
    expect(problemsOf(eventTypes[type].data, sample.data), type).toEqual({});
  }
});
