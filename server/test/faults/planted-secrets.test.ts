import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type Client, type Reply } from "../client.ts";
import { schedule } from "../pickups.ts";
import { connectTo, plantedSecrets, realCarriers, type RealCarrier } from "../real-connections.ts";
import { aPlatform, setDials, type World } from "../world.ts";
import { accountFor, parcelFor, serviceOf } from "./connected-scenarios.ts";

/**
 * Secrets of connections that were planted are in no log line, no row, no file and no answer, whatever the carriers
 * were asked and however they failed. The logs are the loudest there are, without the filter of the product's own.
 */

const lines: string[] = [];
const answers: string[] = [];
let world: World;
beforeAll(async () => {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  world = await aPlatform({}, { log: pino({ level: "trace" }, sink) });
  await useAll();
});
afterAll(() => world.close());

const told = <T>(reply: Reply<T>): Reply<T> => {
  answers.push(JSON.stringify(reply.headers), reply.bytes.toString());
  return reply;
};

/** Refused by the dialects, and as secret. */
const wrong = "wrong-planted-secret-4b81";

async function useAll(): Promise<void> {
  for (const carrier of realCarriers) {
    const id = await connectTo(world, carrier);
    const path = `/carrier-connections/${id}`;
    told(await world.operator.get(path));
    told(await world.operator.post(`${path}/test`));
    await shipWith(carrier);
    await failWith(carrier);
    const names = Object.keys(plantedSecrets[carrier]);
    const secrets = Object.fromEntries(names.map((name) => [name, wrong]));
    told(await world.operator.post(`${path}/rotate`, { secrets }));
    const given = { carrier, environment: "test", name: "Wrong", secrets, is_default: true };
    told(await world.operator.post("/carrier-connections", given));
    told(await world.operator.post("/carrier-connections", { ...given, values: {} }));
    told(await world.operator.patch(path, { status: "disabled" }));
  }
  told(await world.operator.get("/carrier-connections"));
  told(await world.operator.get("/health"));
  told(await world.operator.get("/audit-log"));
}

async function shipWith(carrier: RealCarrier): Promise<void> {
  const account = await accountFor(world, carrier);
  const of = (client: Client, id: string) => client.get(`/shipments/${id}/timeline`);
  for (const steering of [
    null,
    "sim:lost_answer",
    "sim:refuse",
    "sim:token_expired=*",
    "sim:empty_ok=*",
  ]) {
    const { id } = await account.create(parcelFor(carrier, steering));
    told(await account.get(`/rates/${id}`));
    const bought = told(await account.buy(id, { service: serviceOf(carrier) }));
    if (steering === null) expect(outcomeOf(bought), carrier).toBe("201");
    told(await schedule(account, { shipment_ids: [id] }));
    told(await account.post(`/shipments/${id}/void`));
    told(await of(account, id));
  }
}

/** Answers of the carrier's that are errors, one of each status that a dial has. */
async function failWith(carrier: RealCarrier): Promise<void> {
  const account = await accountFor(world, carrier);
  for (const error_status of [401, 429, 500, 503]) {
    await setDials(world, { [carrier]: { error_rate: 1, error_status } });
    const { id } = await account.create(parcelFor(carrier));
    told(await account.get(`/rates/${id}`));
    told(await account.buy(id, { service: serviceOf(carrier) }));
  }
  await setDials(world, {});
}

/** Each secret as it is, in a `Basic` header, and in a form's body. */
function spellings(): string[] {
  const words = realCarriers.flatMap((carrier) => Object.values(plantedSecrets[carrier]));
  const basics = realCarriers.map((carrier) =>
    Buffer.from(Object.values(plantedSecrets[carrier]).join(":")).toString("base64"),
  );
  return [...words, ...basics, wrong, Buffer.from(`${wrong}:${wrong}`).toString("base64")];
}

function expectNone(texts: readonly string[]): void {
  const all = texts.join("\n");
  expect(spellings().filter((spelling) => all.includes(spelling))).toEqual([]);
}

test("no line of the log has one", () => {
  expect(lines.length).toBeGreaterThan(20);
  expectNone(lines);
});

test("no answer has one, refusals and lists among them", () => {
  expect(answers.length).toBeGreaterThan(100);
  expectNone(answers);
});

test("no row has one: neither of the request log, nor of attempts, audits or connections", async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT c.oid::regclass::text AS name FROM pg_class AS c
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`.execute(world.db);
  expect(rows.length).toBeGreaterThan(50);
  const dump: string[] = [];
  for (const { name } of rows) {
    const read = await sql<{
      line: string;
    }>`SELECT each::text AS line FROM ${sql.raw(name)} AS each`.execute(world.db);
    dump.push(...read.rows.map(({ line }) => line));
  }
  expect(dump.some((line) => line.includes("con_"))).toBe(true);
  expectNone(dump);
});

test("no file of the data directory has one: labels, the journal of calls and the simulator's", async () => {
  const names = await readdir(world.data_dir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  expect(files.some(({ parentPath }) => parentPath.includes("journal"))).toBe(true);
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
  expectNone(await Promise.all(texts));
});
