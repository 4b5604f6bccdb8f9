import { appendFile, readFile } from "node:fs/promises";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { manualClock, type Clock } from "../../domain/time/clock.ts";
import { asSeen } from "../carrier-traits-world.ts";
import { aPurchase, aQuote, context, sentLabel } from "../contract-samples-world.ts";
import { aSimulator, failureOf } from "../contract-world.ts";
import { createCarriers } from "../register.ts";
import type { Entry } from "./journal.ts";
import { startSimulator } from "./simulator.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function aWorld(clock?: Clock) {
  const simulator = await aSimulator(clock);
  undo.push(() => simulator.close());
  return { ...simulator, ...clientOf(simulator.url) };
}

function clientOf(url: string) {
  const carriers = createCarriers({ simulator_url: url });
  return {
    url,
    carriers,
    async purchase(carrierCode = "ups", steering: string | null = null) {
      const carrier = carriers.get(carrierCode);
      const quote = aQuote(carrier, steering);
      const { rates } = await carrier.quote(quote, noAbort);
      return aPurchase(carrier, quote, rates[0]!);
    },
    async journal(query = ""): Promise<{ data: Entry[]; meta: { next_cursor: string | null } }> {
      return (await fetch(`${url}/journal${query}`)).json() as never;
    },
    async calls() {
      return ((await (await fetch(`${url}/calls`)).json()) as { data: unknown }).data;
    },
    async dial(dials: object) {
      const response = await send("PUT", `${url}/dials`, JSON.stringify(dials));
      expect(response.status).toBe(200);
    },
  };
}

const noAbort = new AbortController().signal;

function send(method: string, url: string, body: string, headers: object = {}): Promise<Response> {
  return fetch(url, { method, body, headers: { "content-type": "application/json", ...headers } });
}

test("the journal has what was committed, in order, and nothing of what was quoted or refused", async () => {
  const { carriers, purchase, journal } = await aWorld();
  const canadaPost = carriers.get("canada_post");
  const [bought, refused] = [await purchase("canada_post"), await purchase("ups", "sim:refuse")];
  const label = await canadaPost.buyLabel(bought, noAbort);
  await failureOf(carriers.get("ups").buyLabel(refused, noAbort));
  await failureOf(canadaPost.buyLabel(bought, noAbort));
  const claim = { context, reference: bought.reference };
  expect(await canadaPost.voidLabel({ ...label, ...claim }, noAbort)).toEqual({
    refund: "pending",
  });

  const { data, meta } = await journal();
  const { reference } = bought;
  const { tracking_code } = label;
  const shared = { carrier: "canada_post", reference, tracking_code };
  expect(data).toMatchObject([
    { ...shared, sequence: 1, operation: "label", amount_cents: label.cost!.amount_cents },
    { ...shared, sequence: 2, operation: "void", effective: true },
  ]);
  expect(data[0]).not.toHaveProperty("request");
  expect(meta).toEqual({ next_cursor: null });
  expect((await journal("?cursor=1")).data).toEqual([data[1]]);
  expect((await journal("?cursor=2")).data).toEqual([]);
});

test("a lost response is in the journal, and a label that was used is live again after its void", async () => {
  const { carriers, purchase, journal } = await aWorld();
  const ups = carriers.get("ups");
  await failureOf(ups.buyLabel(await purchase("ups", "sim:lost_answer"), noAbort));
  const used = await purchase("ups", "sim:used_label");
  const label = await ups.buyLabel(used, noAbort);
  const claim = { ...label, context, reference: used.reference };
  expect(await ups.voidLabel(claim, noAbort)).toEqual({ refund: "pending" });
  expect(await ups.lookUpLabel(sentLabel(used), noAbort)).toMatchObject({ state: "live" });
  expect(await ups.refundState(claim, noAbort)).toBe("rejected");
  const again = await failureOf(ups.voidLabel(claim, noAbort));
  expect(again).toMatchObject({ kind: "refused", carrier_code: "label_used" });
  const { data } = await journal();
  expect(data.map(({ operation }) => operation)).toEqual(["label", "label", "void"]);
  expect(data[2]).toMatchObject({ effective: false, refund: "rejected" });
});

test("a quote steered into a fault fails for the named carrier and for no other", async () => {
  const { carriers } = await aWorld();
  const [ups, fedex, purolator] = ["ups", "fedex", "purolator"].map((code) => carriers.get(code));
  const steering = "sim:timeout=ups;error=fedex;slow=purolator:40";
  const abort = new AbortController();
  const hung = failureOf(ups!.quote(aQuote(ups!, steering), abort.signal));
  const failed = await failureOf(fedex!.quote(aQuote(fedex!, steering), noAbort));
  expect(failed).toMatchObject({ kind: "unknown", exclusion: "carrier_error" });
  const startedAt = performance.now();
  const slow = await purolator!.quote(aQuote(purolator!, steering), noAbort);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(39);
  expect(slow.rates.length).toBeGreaterThan(0);
  abort.abort();
  expect(await hung).toMatchObject({ exclusion: "carrier_timeout" });
});

test("dials fail every so many calls of the operations they name, and PUT {} sets all back", async () => {
  const { carriers, purchase, dial, journal } = await aWorld();
  const ups = carriers.get("ups");
  const first = await purchase();
  await dial({ "*": { error_rate: 0.5, error_status: 429, operations: ["purchases"] } });
  await ups.buyLabel(first, noAbort);
  const limited = await failureOf(ups.buyLabel(await purchase(), noAbort));
  expect(limited).toMatchObject({ kind: "refused", exclusion: "carrier_rate_limited" });

  await dial({ ups: { hang: true } });
  const abort = AbortSignal.timeout(30);
  expect(await failureOf(ups.quote(aQuote(ups), abort))).toMatchObject({ kind: "unknown" });
  await dial({});
  await ups.buyLabel(await purchase(), noAbort);
  expect((await journal()).data.length).toBe(2);
});

test("a purchase that waited longer than the horizon is dropped, not committed late", async () => {
  const clock = manualClock(new Date("2026-10-05T12:00:00Z"));
  const { carriers, purchase, dial, calls, journal } = await aWorld(clock);
  const request = await purchase();
  await dial({ ups: { latency_ms: 200, operations: ["purchases"] } });
  const late = failureOf(carriers.get("ups").buyLabel(request, noAbort));
  await expect.poll(calls).toEqual({ ups: { quotes: 1, purchases: 1 } });
  clock.advance(4_001);
  expect(await late).toMatchObject({ kind: "unknown", carrier_code: "too_late" });
  expect((await journal()).data).toEqual([]);
});

test("it closes at once though a client is connected that never sent a request", async () => {
  const simulator = await aSimulator();
  const socket = connect(Number(new URL(simulator.url).port), "127.0.0.1");
  await once(socket, "connect");
  await Promise.all([once(socket, "close"), simulator.close()]);
}, 5_000);

test("closing sends hanging calls no response, and leaves none open", async () => {
  const { carriers, dial, calls, close } = await aWorld();
  await dial({ ups: { hang: true }, fedex: { latency_ms: 60_000 } });
  const hanging = ["ups", "fedex"].map((code) => {
    const carrier = carriers.get(code);
    return failureOf(carrier.quote(aQuote(carrier), noAbort));
  });
  await expect.poll(calls).toEqual({ ups: { quotes: 1 }, fedex: { quotes: 1 } });
  await close();
  for (const call of hanging) expect((await call).kind).toBe("unknown");
});

test("hostile requests get a 4xx with a code and commit nothing", async () => {
  const { url, journal } = await aWorld();
  const authorization = "Bearer sim_test_acc_1";
  const labels = `${url}/carriers/ups/labels`;
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const requests: [number, Promise<Response>][] = [
    [400, send("POST", labels, "{", { authorization })],
    [400, send("POST", labels, '{"__proto__": {}}', { authorization })],
    [422, send("POST", labels, "null", { authorization })],
    [422, send("POST", labels, deep, { authorization })],
    [422, send("POST", labels, "{}", { authorization })],
    [413, send("POST", labels, `"${"x".repeat(2 * 1024 * 1024)}"`, { authorization })],
    [415, send("POST", labels, "<label/>", { authorization, "content-type": "text/xml" })],
    [404, send("POST", `${url}/carriers/__proto__/labels`, "{}", { authorization })],
    [422, fetch(labels, { headers: { authorization } })],
    [401, fetch(`${labels}?reference=r`)],
    [404, fetch(`${url}/nowhere`)],
    [422, fetch(`${url}/journal?cursor=-1`)],
    [422, send("PUT", `${url}/dials`, '{"ups": {"latency_ms": "soon"}}')],
  ];
  for (const [status, request] of requests) {
    const response = await request;
    const { error } = (await response.json()) as { error: { code: unknown } };
    expect([response.status, typeof error.code]).toEqual([status, "string"]);
  }
  expect((await journal()).data).toEqual([]);
});

test("a restart knows every label, and issues no code twice; a torn last line is dropped", async () => {
  const world = await aWorld();
  const [bought, voided] = [await world.purchase(), await world.purchase()];
  const ups = world.carriers.get("ups");
  const label = await ups.buyLabel(bought, noAbort);
  const other = await ups.buyLabel(voided, noAbort);
  await ups.voidLabel({ ...other, context, reference: voided.reference }, noAbort);
  await world.close();
  await appendFile(world.journal_path, '{"sequence":4,"operation":"label","refer');

  const again = await startSimulator({
    host: "127.0.0.1",
    port: 0,
    journal_path: world.journal_path,
  });
  undo.push(() => again.close());
  const { carriers, purchase, journal } = clientOf(again.url);
  const restarted = carriers.get("ups");
  expect(await restarted.lookUpLabel(sentLabel(bought), noAbort)).toEqual(asSeen(label));
  expect(await restarted.lookUpLabel(sentLabel(voided), noAbort)).toMatchObject({
    state: "voided",
  });
  const gone = { ...other, context, reference: voided.reference };
  expect(await restarted.refundState(gone, noAbort)).toBe("approved");
  const duplicate = await failureOf(restarted.buyLabel(bought, noAbort));
  expect(duplicate.carrier_code).toBe("duplicate_reference");
  const next = await restarted.buyLabel(await purchase(), noAbort);
  expect([label.tracking_code, other.tracking_code]).not.toContain(next.tracking_code);
  expect((await journal()).data.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
});

test("a file that is no journal is left unchanged", async () => {
  const { journal_path, close } = await aWorld();
  await close();
  const path = `${journal_path}.txt`;
  await appendFile(path, '{"shopping": "list"}\n');
  const start = startSimulator({ host: "127.0.0.1", port: 0, journal_path: path });
  await expect(start).rejects.toThrow("not a journal");
  expect(await readFile(path, "utf8")).toBe('{"shopping": "list"}\n');
});

test("every response that was sent before a kill -9 holds after it", async () => {
  const { journal_path, close } = await aWorld();
  await close();
  const child = await aChild(journal_path);
  const { carriers, purchase } = clientOf(child.url);
  const template = await purchase();
  const answered: string[] = [];
  const buyers = Array.from({ length: 8 }, async (_, buyer) => {
    for (let count = 0; ; count += 1) {
      const reference = `ref_${buyer}_${count}`;
      await carriers.get("ups").buyLabel({ ...template, reference }, noAbort);
      answered.push(reference);
      if (answered.length === 100) child.process.kill("SIGKILL");
    }
  });
  await Promise.allSettled(buyers);
  expect(answered.length).toBeGreaterThanOrEqual(100);

  const again = await startSimulator({ host: "127.0.0.1", port: 0, journal_path });
  undo.push(() => again.close());
  const { data } = await clientOf(again.url).journal();
  const committed = new Set(data.map(({ reference }) => reference));
  expect(answered.filter((reference) => !committed.has(reference))).toEqual([]);
  expect(new Set(data.map(({ tracking_code }) => tracking_code)).size).toBe(data.length);
});

/** A simulator in a process of its own, so that it can be killed. */
async function aChild(journal_path: string): Promise<{ process: ChildProcess; url: string }> {
  const module = new URL("simulator.ts", import.meta.url).href;
  const options = JSON.stringify({ host: "127.0.0.1", port: 0, journal_path });
  const script = `
    import { startSimulator } from ${JSON.stringify(module)};
    console.log((await startSimulator(${options})).url);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  undo.push(async () => child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { process: child, url: line.toString().trim() };
}
