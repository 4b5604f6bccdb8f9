import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { aShipment } from "../shipments.ts";
import { runCli, startCli } from "../shell.ts";
import { webhookReceiver, type WebhookReceiver } from "../webhook-receiver.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** `waybill listen` as a process of its own: the platform's stream on one side, a receiver on the other. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

interface Listening {
  /** Everything it has printed. */
  printed(): string;
  secret: string;
  stop(): Promise<void>;
}

async function listen(
  account: TestAccount,
  forward: string,
  { types = "*", state = `${account.account_id}.json` } = {},
): Promise<Listening> {
  const words = ["--forward", forward, "--types", types, "--api", account.base_url];
  const running = startCli(["listen", ...words, "--state", join(world.data_dir, state)], {
    ...world,
    settings: { WAYBILL_TOKEN: account.token },
  });
  const stop = () => ended(running);
  onTestFinished(stop);
  let printed = "";
  running.stdout!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  running.stderr!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const secret = await vi.waitFor(
    () => {
      const [found] = /whsec_[^;\s]+/.exec(printed) ?? [];
      expect(found, printed).toBeDefined();
      return found!;
    },
    { timeout: 20_000, interval: 20 },
  );
  return { printed: () => printed, secret, stop };
}

async function ended(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  running.kill("SIGKILL");
  await once(running, "close");
}

async function aReceiver(
  options?: Parameters<typeof webhookReceiver>[0],
): Promise<WebhookReceiver> {
  const receiver = await webhookReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver;
}

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 20_000, interval: 20 });
const idsOf = ({ received }: WebhookReceiver) => received.map(({ event }) => event.subject_id);

/** Everything that happens after it is forwarded. */
const untilOpen = (listening: Listening) =>
  until(() => expect(listening.printed()).toContain("Listening; "));

test("events are posted as they are in the feed, in order, signed, and printed with status and time", async () => {
  const account = await anAccount(world);
  const receiver = await aReceiver({ statusOf: () => 418 });
  const listening = await listen(account, receiver.url, { types: "shipment.*" });
  receiver.trust(listening.secret);
  await untilOpen(listening);
  const { id } = await account.create(aShipment());
  await account.bought(id);
  must(await account.post(`/shipments/${id}/void`, {}), 200);
  await until(() => expect(receiver.received).toHaveLength(3));
  expect(receiver.received.map(({ event }) => event.type)).toEqual([
    "shipment.created",
    "shipment.purchased",
    "shipment.voided",
  ]);
  expect(receiver.refused).toBe(0);
  for (const { id: event_id, body, event } of receiver.received) {
    expect(event_id).toBe(event.id);
    const { data } = must(await account.get<{ data: object }>(`/events/${event_id}`), 200);
    expect(body).toBe(JSON.stringify(data));
    await until(() =>
      expect(listening.printed()).toMatch(
        new RegExp(`Z {2}${event.type} {2}${event_id} {2}418 {2}\\d+ ms\n`),
      ),
    );
  }
});

test("killed and started again, it goes on behind the last event that was answered, with the same secret", async () => {
  const account = await anAccount(world);
  const receiver = await aReceiver();
  const first = await listen(account, receiver.url, { types: "shipment.created" });
  receiver.trust(first.secret);
  await untilOpen(first);
  await account.create(aShipment());
  await until(() => expect(receiver.received).toHaveLength(1));
  await first.stop();
  const missed = [await account.create(aShipment()), await account.create(aShipment())];
  const second = await listen(account, receiver.url, { types: "shipment.created" });
  expect(second.secret).toBe(first.secret);
  await until(() => expect(idsOf(receiver).slice(-2)).toEqual(missed.map(({ id }) => id)));
  // The first, which is posted again where the process was killed before it had kept the cursor, and the others.
  expect(receiver.received.length).toBeLessThanOrEqual(2 + missed.length);
  const cursor = receiver.received.at(-1)!.event.cursor;
  await vi.waitFor(async () => {
    const state = await readFile(join(world.data_dir, `${account.account_id}.json`), "utf8");
    expect(JSON.parse(state)).toEqual({ secret: first.secret, cursor });
  });
});

test("killed before its first event, it misses none that happen until it is started again", async () => {
  const account = await anAccount(world);
  const receiver = await aReceiver();
  const first = await listen(account, receiver.url, { types: "shipment.created" });
  // The second posts at once, and signs with the secret of the first.
  receiver.trust(first.secret);
  await untilOpen(first);
  await first.stop();
  const missed = await account.create(aShipment());
  const second = await listen(account, receiver.url, { types: "shipment.created" });
  expect(second.secret).toBe(first.secret);
  await until(() => expect(idsOf(receiver)).toEqual([missed.id]));
});

test("a receiver that is away gets every event once it is back, in order", async () => {
  const account = await anAccount(world);
  const receiver = await aReceiver();
  const listening = await listen(account, receiver.url, { types: "shipment.created" });
  receiver.trust(listening.secret);
  await untilOpen(listening);
  await receiver.close();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push((await account.create(aShipment())).id);
  await until(() => expect(listening.printed()).toMatch(/ {2}refused {2}\d+ ms/));
  const back = await aReceiver({ port: Number(new URL(receiver.url).port) });
  back.trust(listening.secret);
  await until(() => expect(idsOf(back)).toEqual(ids));
});

test("what cannot work is said, and ends it", async () => {
  const account = await anAccount(world);
  const run = async (words: string[], token = account.token) => {
    const base = ["listen", "--state", join(world.data_dir, "none.json")];
    const { status, stderr } = await runCli([...base, ...words], {
      ...world,
      settings: { WAYBILL_TOKEN: token },
    });
    return [status, stderr];
  };
  const api = ["--api", account.base_url];
  const forward = ["--forward", "http://127.0.0.1:9/hook"];
  const said = await Promise.all([
    run([...api, ...forward], "sk_wrong"),
    run([...api, ...forward, "--types", "shipment.lost"]),
    run([...api, "--forward", "localhost:3000"]),
    run(forward),
  ]);
  expect(said).toEqual([
    [1, expect.stringContaining("waybill: The platform answered 401") as unknown],
    [1, "waybill: --types has shipment.lost, which is no type.\n"],
    [1, "waybill: --forward is the URL to post to, such as http://localhost:3000/hook.\n"],
    [1, "waybill: --api and --token (or WAYBILL_TOKEN) say whose events to listen to.\n"],
  ]);
});
