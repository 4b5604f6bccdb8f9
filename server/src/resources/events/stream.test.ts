import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../../test/api.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Environment } from "../../database/tables.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { sampleOf } from "../../domain/events/sample.ts";
import { placer } from "../../events/feed/place.ts";
import { recordEvents } from "../../events/outbox.ts";
import { baseOf } from "../../http/authenticate.ts";

let api: TestApi;
let place: ReturnType<typeof placer>;
beforeAll(async () => {
  api = await served();
  place = placer(api.db);
});
afterAll(() => api.close());

async function served(options: Parameters<typeof testApi>[0] = {}): Promise<TestApi> {
  const serving = await testApi(options);
  await serving.app.listen({ host: "127.0.0.1", port: 0 });
  return serving;
}

interface Reader {
  account_id: string;
  token: string;
}

async function aReader({
  environment = "test",
}: { environment?: Environment } = {}): Promise<Reader> {
  return aReaderOf(await anAccount(api, { environment }));
}

async function aReaderOf(account: TestAccount): Promise<Reader> {
  const token = await aToken(api, account, { scopes: ["webhooks:read", "tokens:manage"] });
  // The event of the token itself.
  await sql`DELETE FROM event_outbox WHERE account_id = ${account.account_id}`.execute(api.db);
  return { ...account, token };
}

async function happened({ account_id }: Reader, count: number, note = ""): Promise<void> {
  const event = {
    account_id,
    type: "order.created",
    subject_id: "ord_any",
    data: { ...sampleOf("order.created").data, ...(note ? { order_number: note } : {}) },
    by: bySystem("test"),
  } as const;
  await inTransaction(api.db, (tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, () => event),
    ),
  );
}

async function placed(): Promise<void> {
  while ((await place()).count > 0);
}

interface Open {
  response: IncomingMessage;
  /** Everything so far. */
  text(): string;
  /** The cursors of the events so far. */
  ids(): number[];
  /** Resolves once the server has ended it. */
  ended: Promise<unknown>;
  close(): void;
}

async function stream(
  { token }: Reader,
  { query = "", headers = {}, of = api }: { query?: string; headers?: object; of?: TestApi } = {},
): Promise<Open> {
  const { port } = of.app.server.address() as AddressInfo;
  const request = get({
    host: "127.0.0.1",
    port,
    path: `${token.startsWith("wb_live_") ? baseOf.live : baseOf.test}/events/stream${query}`,
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", ...headers },
  });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const ended = new Promise((resolve) => response.once("close", resolve));
  response.on("error", () => undefined);
  return {
    response,
    text: () => text,
    ids: () => [...text.matchAll(/^id: (\d+)\nevent: /gm)].map(([, id]) => Number(id)),
    ended,
    close: () => request.destroy(),
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const soon = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });

test("a stream begins with what is new, and sends each event as the feed shows it", async () => {
  const reader = await aReader();
  await happened(reader, 2);
  await placed();
  const open = await stream(reader);
  expect(open.response.statusCode).toBe(200);
  expect(open.response.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
    "cache-control": "no-store",
  });
  expect(open.response.headers["content-encoding"]).toBeUndefined();
  await soon(() => expect(open.text()).toBe("id: 2\nretry: 1000\n\n"));
  await happened(reader, 1);
  await placed();
  await soon(() => expect(open.ids()).toEqual([3]));
  const shown = await call(api, { token: reader.token, path: "/events?after=2" });
  const [event] = shown.json<{ data: object[] }>().data;
  expect(open.text()).toBe(
    `id: 2\nretry: 1000\n\nid: 3\nevent: order.created\ndata: ${JSON.stringify(event)}\n\n`,
  );
});

test("a stream sends only the types that it is opened for", async () => {
  const reader = await aReader();
  const open = await stream(reader, { query: "?types=shipment.*&after=0" });
  const all = await stream(reader, { query: "?types=order.*&after=0" });
  await happened(reader, 2);
  await placed();
  await soon(() => expect(all.ids()).toEqual([1, 2]));
  expect(open.ids()).toEqual([]);
});

test("whatever is placed while readers connect, leave and resume, each sees every event once, in order", async () => {
  const reader = await aReader();
  let isWriting = true;
  const writing = (async () => {
    for (let round = 0; round < 60; round++) {
      await happened(reader, 1 + (round % 9));
      await placed();
    }
    isWriting = false;
  })();
  const seen = await Promise.all(
    upTo(3).map(async (nth) => {
      const ids: number[] = [];
      for (let isLast = false; !isLast;) {
        isLast = !isWriting;
        const after = String(ids.at(-1) ?? 0);
        const open = await stream(
          reader,
          nth === 1 ? { query: `?after=${after}` } : { headers: { "last-event-id": after } },
        );
        if (isLast) {
          await writing;
          await soon(() => expect(ids.length + open.ids().length).toBeGreaterThanOrEqual(291));
        } else await soon(() => expect(open.ids().length > nth * 7 || !isWriting).toBe(true));
        ids.push(...open.ids());
        open.close();
      }
      return ids;
    }),
  );
  for (const ids of seen) expect(ids).toEqual(upTo(291));
});

test("a cursor that is none or too old is refused before the stream begins", async () => {
  const reader = await aReader();
  await happened(reader, 3);
  await placed();
  await sql`UPDATE event_feeds SET pruned_position = 1 WHERE account_id = ${reader.account_id}`.execute(
    api.db,
  );
  for (const [options, status] of [
    [{ query: "?after=x" }, 422],
    [{ query: "?after=4" }, 422],
    [{ query: "?types=orders" }, 422],
    [{ headers: { "last-event-id": "9" } }, 422],
    [{ query: "?after=0" }, 410],
    [{ query: "?after=0", headers: { "last-event-id": "1" } }, 200],
  ] as const)
    expect((await stream(reader, options)).response.statusCode, JSON.stringify(options)).toBe(
      status,
    );
});

test("a token has five streams open; one that ends makes room", async () => {
  const reader = await aReader();
  const open = await Promise.all(upTo(5).map(() => stream(reader)));
  expect(open.map(({ response }) => response.statusCode)).toEqual(upTo(5).map(() => 200));
  const sixth = await stream(reader);
  expect(sixth.response.statusCode).toBe(429);
  const metrics = await api.app.inject("/metrics");
  expect(metrics.body).toMatch(/^waybill_streams [5-9]/m);
  open[0]!.close();
  await soon(async () => expect((await stream(reader)).response.statusCode).toBe(200));
});

test("an account has fifty streams open, by however many tokens; other accounts have theirs", async () => {
  const account = await anAccount(api);
  const readers = await Promise.all(upTo(10).map(() => aReaderOf(account)));
  const open = await Promise.all(readers.flatMap((reader) => upTo(5).map(() => stream(reader))));
  expect(new Set(open.map(({ response }) => response.statusCode))).toEqual(new Set([200]));
  const another = await aReaderOf(account);
  expect((await stream(another)).response.statusCode).toBe(429);
  expect((await stream(await aReader())).response.statusCode).toBe(200);
  open[0]!.close();
  await soon(async () => expect((await stream(another)).response.statusCode).toBe(200));
});

test("a process has five hundred streams open, a quarter for production alone; one that ends makes room", async () => {
  const full = await served({ beside: api });
  onTestFinished(() => full.close());
  const opened = async (environment: Environment, count: number) => {
    const readers = await Promise.all(upTo(count / 5).map(() => aReader({ environment })));
    const open = await Promise.all(
      readers.flatMap((reader) => upTo(5).map(() => stream(reader, { of: full }))),
    );
    expect(new Set(open.map(({ response }) => response.statusCode))).toEqual(new Set([200]));
    return open;
  };
  for (const [environment, count] of [
    ["test", 375],
    ["live", 125],
  ] as const) {
    const open = await opened(environment, count);
    const late = await aReader({ environment });
    const refused = await stream(late, { of: full });
    expect(refused.response.statusCode).toBe(503);
    expect(refused.response.headers["retry-after"]).toBe("1");
    open[0]!.close();
    await soon(async () =>
      expect((await stream(late, { of: full })).response.statusCode).toBe(200),
    );
  }
  full.app.startDraining();
});

test("a stream ends after a quarter of an hour, and says when to connect again", async () => {
  const reader = await aReader();
  const after = setTimeout;
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  // The quarter of an hour passes in a moment, and no other time.
  timers.mockImplementation((work: () => void, ms?: number) =>
    after(work, ms === 15 * 60_000 ? 50 : ms),
  );
  const open = await stream(reader);
  await open.ended;
  expect(open.text()).toMatch(/retry: 1000\n\n$/);
});

test("a stream is ended within a second once its token is revoked, and not before", async () => {
  const [reader, other] = [await aReader(), await aReader()];
  const [open, kept] = [await stream(reader), await stream(other)];
  const listed = await call(api, { token: reader.token, path: "/tokens" });
  const [{ id }] = listed.json<{ data: [{ id: string }] }>().data;
  const revoked = await call(api, {
    token: reader.token,
    method: "DELETE",
    path: `/tokens/${id}`,
  });
  expect(revoked.statusCode, revoked.body).toBeLessThan(300);
  const begin = performance.now();
  await open.ended;
  expect(performance.now() - begin).toBeLessThan(1500);
  expect(open.text()).toMatch(/retry: 1000\n\n$/);
  expect(kept.response.closed).toBe(false);
});

test("streams end when the process is about to stop", async () => {
  const stopping = await served({ beside: api });
  const open = await stream(await aReader(), { of: stopping });
  const begin = performance.now();
  stopping.app.startDraining();
  await open.ended;
  await stopping.close();
  expect(performance.now() - begin).toBeLessThan(2000);
});

test("a reader that does not read is cut off, and goes on from its cursor", async () => {
  const reader = await aReader();
  const open = await stream(reader, { query: "?after=0" });
  open.response.pause();
  const large = "x".repeat(60_000);
  for (let round = 0; round < 200 && !open.response.closed; round++) {
    await happened(reader, 5, large);
    await placed();
    const metrics = await api.app.inject("/metrics");
    if (/^waybill_streams 0$/m.test(metrics.body)) break;
  }
  await soon(async () =>
    expect((await api.app.inject("/metrics")).body).toMatch(/^waybill_streams 0$/m),
  );
  open.close();
  const resumed = await stream(reader, { query: "?after=0" });
  await soon(() => expect(resumed.ids().length).toBeGreaterThan(10));
  expect(resumed.ids()).toEqual(upTo(resumed.ids().length));
}, 60_000);
