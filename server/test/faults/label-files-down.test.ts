import { createServer, request as forward } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { dialects } from "../../src/carriers/dialects.ts";
import { aSimulator } from "../../src/carriers/contract-world.ts";
import { outcomeOf } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { untilReady } from "../labels.ts";
import { connectTo } from "../real-connections.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform } from "../world.ts";

/** Canada Post sells labels while its server of label files is down. */

/** The simulator, in front of which all that is asked for files is refused while they are down. */
async function aSimulatorWithFileServer() {
  const simulator = await aSimulator(undefined, dialects);
  onTestFinished(() => simulator.close());
  const files = { are_down: true, refused: 0 };
  const server = createServer((asked, response) => {
    if (files.are_down && asked.url?.includes("/artifact/")) {
      files.refused += 1;
      response.writeHead(503).end();
      return;
    }
    const { method, headers, url = "/" } = asked;
    const passed = forward(new URL(url, simulator.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    asked.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const simulator_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { simulator_url, files };
}

test("ten minutes without Canada Post's label files: the purchase stands, the file comes, nothing is voided", async () => {
  const { simulator_url, files } = await aSimulatorWithFileServer();
  const world = await aPlatform({}, { simulator_url });
  onTestFinished(() => world.close());
  await connectTo(world, "canada_post");
  const account = await anAccount(world, { balance_cents: 100_000 });
  const { id } = await account.create(aShipment());
  const bought = await account.bought(id, { service: "canada_post.expedited_parcel" });
  expect(bought).toMatchObject({ label_status: "pending", label_url: null });

  for (let minutes = 0; minutes < 10; minutes += 2) {
    const { refused } = files;
    await sql`UPDATE pending_files SET since = since - interval '2 minutes', check_at = now()
      WHERE shipment_id = ${id}`.execute(world.db);
    await vi.waitFor(() => expect(files.refused).toBeGreaterThan(refused), {
      timeout: 20_000,
      interval: 50,
    });
    expect(outcomeOf(await account.get(`/labels/${id}`))).toBe("409 label_not_ready");
    expect(await account.show(id)).toMatchObject({ status: "purchased", label_status: "pending" });
  }
  files.are_down = false;
  await sql`UPDATE pending_files SET check_at = now() WHERE shipment_id = ${id}`.execute(world.db);
  const ready = await untilReady(account, id);
  expect(ready).toMatchObject({ label_status: "ready", tracking_code: bought.tracking_code });
  expect((await (await fetch(ready.label_url!)).text()).slice(0, 5)).toBe("%PDF-");

  const { held, balance } = await account.balance();
  expect({ held, balance }).toEqual({ held: 0, balance: 1_000 - bought.cost!.total });
  const operations = (await readJournal(world)).map(({ operation }) => operation);
  expect(operations).toEqual(["label"]);
  await assertInvariants(world);
});
