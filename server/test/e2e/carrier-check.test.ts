import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataOf } from "../client.ts";
import { readJournal } from "../invariants.ts";
import { runCli } from "../shell.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** `waybill carrier-check`, as an operator types it; a carrier's sandbox is played by its form of the simulator. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const connections = {
  canada_post: {
    values: {
      customer_number: "2004381",
      contract_id: "42708517",
      contact_email: "planted.contact@example.com",
      contact_phone: "416-555-0100",
    },
    secrets: { username: "planted_user_1", password: "planted&secret<1>" },
  },
  purolator: {
    values: { account_number: "9999999999", contact_phone: "416-555-0100" },
    secrets: { key: "planted_key_2", password: 'planted"secret 2' },
  },
  ups: {
    values: { account_number: "A1B2C3", account_country: "CA" },
    secrets: { client_id: "planted_client_3", client_secret: "planted/secret=3" },
  },
  usps: {
    values: { crid: "12345678", mid: "899999999", account_number: "1000000001" },
    secrets: { client_id: "planted_client_4", client_secret: "planted+secret%4" },
  },
};
type Checked = keyof typeof connections;

async function aConnection(carrier: Checked, environment = "test"): Promise<string> {
  const body = { carrier, environment, name: carrier, ...connections[carrier] };
  const made = await world.operator.post<DataOf<{ id: string }>>("/carrier-connections", body);
  return must(made, 201).data.id;
}

const check = (words: string[]) => runCli(["carrier-check", ...words], world);

describe.each(Object.keys(connections) as Checked[])("%s", (carrier) => {
  test("is checked step by step, and its recording has headers and no secret", async () => {
    const id = await aConnection(carrier);
    const out = join(world.data_dir, `checks-${carrier}`);
    const host = `${world.simulator_url}/dialects/${carrier}`;
    const before = (await readJournal(world)).length;
    const words = [id, "--out", out, "--host", host, "--every", "0.2", "--look-up-seconds", "10"];
    const { status, stdout, stderr } = await check(words);
    const printed = stdout.toString();
    expect(`${printed}${stderr}`).not.toContain("FAILED");
    expect(status).toBe(0);
    for (const step of ["quote", "buy", "look up what was lost", "void again", "pickup"])
      expect(printed).toMatch(new RegExp(`^ok +${step} `, "m"));

    // Both purchases and their voids, and the pickup and its cancellation, were made there.
    const done = (await readJournal(world)).slice(before).map(({ operation }) => operation);
    expect(done.toSorted()).toEqual(
      ["label", "label", "pickup", "pickup_cancel", "void", "void"].toSorted(),
    );
    const files = await recordingIn(out);
    const exchanges = files.filter(({ name }) => name !== "summary.json");
    expect(exchanges.length).toBeGreaterThan(5);
    for (const { text } of exchanges) {
      const { request } = JSON.parse(text) as { request: { headers: object } };
      expect(Object.keys(request.headers).length).toBeGreaterThan(0);
    }
    const lost = exchanges.filter(({ text }) => text.includes('"is_lost": true'));
    expect(lost).toHaveLength(1);
    const { secrets, values } = connections[carrier];
    const planted = [...formsOf(Object.values(secrets)), ...Object.values(values)].filter(
      (text) => text.length > 5,
    );
    const all = [{ name: "what is printed", text: `${printed}${stderr}` }, ...files];
    for (const { name, text } of all)
      expect([name, planted.filter((each) => text.includes(each))]).toEqual([name, []]);
  });
});

/** Each secret as it may stand in a header, a form, JSON or XML. */
function formsOf(secrets: string[]): string[] {
  const xml = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const pair = Buffer.from(secrets.join(":")).toString("base64");
  return [
    pair,
    ...secrets.flatMap((secret) => [
      ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), xml(secret)],
      Buffer.from(secret).toString("base64"),
    ]),
  ];
}

async function recordingIn(out: string): Promise<{ name: string; text: string }[]> {
  const [folder = ""] = await readdir(out);
  const names = await readdir(join(out, folder));
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(out, folder, name), "utf8") })),
  );
}

test("a connection of production is refused, and nothing is called", async () => {
  const id = await aConnection("ups", "live");
  const before = (await readJournal(world)).length;
  const { status, stderr } = await check([id, "--host", `${world.simulator_url}/dialects/ups`]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("of production")]);
  expect(await readJournal(world)).toHaveLength(before);
});

test("another account's connection is not found without its name", async () => {
  const { account_id } = await anAccount(world);
  const id = await aConnection("purolator");
  const { status, stderr } = await check([id, "--account", account_id]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("there is no connection")]);
});

test("a step that fails is said to have failed, and why, without a secret", async () => {
  const id = await aConnection("canada_post");
  const out = join(world.data_dir, "checks-of-nobody");
  // Nothing answers there.
  const words = [id, "--out", out, "--host", "http://127.0.0.1:9", "--look-up-seconds", "1"];
  const { status, stdout } = await check(words);
  const printed = stdout.toString();
  expect(status).toBe(1);
  expect(printed).toMatch(/^FAILED +quote /m);
  expect(printed).toMatch(/^- +buy +a step before it failed/m);
  expect(printed).not.toContain("planted");
});
