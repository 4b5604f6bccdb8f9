import { afterAll, beforeAll, expect, test } from "vitest";
import { aPurchase, aQuote } from "../contract-samples-world.ts";
import { aSimulator, listAll } from "../contract-world.ts";
import { createCarriers } from "../register.ts";
import { startSimulator, type Simulator } from "../simulator/simulator.ts";

/** The carriers' lists of the labels that they issued, which a database that was set back depends on. */

const noAbort = new AbortController().signal;
const longAgo = { environment: "test", since: new Date(0) } as const;

let simulator: Simulator & { journal_path: string };
beforeAll(async () => {
  simulator = await aSimulator();
});
afterAll(() => simulator.close());

test("a list of many labels is paged, each label once, and survives a restart", async () => {
  const ups = createCarriers({ simulator_url: simulator.url }).get("ups");
  const quote = aQuote(ups);
  const { rates } = await ups.quote(quote, noAbort);
  const purchases = Array.from({ length: 101 }, () => aPurchase(ups, quote, rates[0]!));
  const sold = await Promise.all(purchases.map((purchase) => ups.buyLabel(purchase, noAbort)));
  const { labels, pages } = await listAll(ups, longAgo);
  expect(pages).toBe(2);
  expect(labels.map(({ carrier_label_id }) => carrier_label_id).sort()).toEqual(
    sold.map(({ carrier_label_id }) => carrier_label_id).sort(),
  );

  await simulator.close();
  const { journal_path } = simulator;
  const again = await startSimulator({ host: "127.0.0.1", port: 0, journal_path });
  simulator = { ...again, journal_path };
  const restarted = createCarriers({ simulator_url: again.url });
  expect((await listAll(restarted.get("ups"), longAgo)).labels).toEqual(labels);
  expect((await listAll(restarted.get("fedex"), longAgo)).labels).toEqual([]);
});

test("labels of other systems under the same contract are left out", async () => {
  const fedex = createCarriers({ simulator_url: simulator.url }).get("fedex");
  const quote = aQuote(fedex);
  const { rates } = await fedex.quote(quote, noAbort);
  const { references: _ours, ...anonymous } = aPurchase(fedex, quote, rates[0]!);
  await fedex.buyLabel(anonymous as never, noAbort);
  expect((await listAll(fedex, longAgo)).labels).toEqual([]);
});
