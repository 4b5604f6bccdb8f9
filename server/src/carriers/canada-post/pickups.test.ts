import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { aBrokenParty } from "../broken-party-world.ts";
import { context, toronto } from "../contract-samples-world.ts";
import { failureOf } from "../contract-world.ts";
import { readXml } from "../protocol/xml.ts";
import { canadaPostCarrier } from "./adapter.ts";
import { aConnection } from "./canada-post-world.ts";
import { canadaPostOverRest } from "./canada-post.ts";
import { fromPickupAvailability } from "./pickups.ts";

const available = (tour: string) =>
  `<pickup-availability><on-demand-tour>${tour}</on-demand-tour></pickup-availability>`;
const price = "<pickup-request-price><pre-tax-amount>3.50</pre-tax-amount></pickup-request-price>";

test.each([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
  ["", false],
])("Canada Post picks up on demand where it says %j: %s", (tour, on_demand) => {
  const root = readXml(Buffer.from(available(tour)));
  expect(fromPickupAvailability(root).on_demand).toBe(on_demand);
});

const failing = [
  ["500", (response: ServerResponse) => response.writeHead(500).end()],
  ["a reset", (response: ServerResponse) => response.destroy()],
  ["a page", (response: ServerResponse) => response.end("<html/>")],
] as const;

test.each(
  (["availability", "price"] as const).flatMap((question) =>
    failing.map(([name, fail]) => [name, question, fail] as const),
  ),
)("%s to the question for the %s leaves nothing unknown", async (_name, question, fail) => {
  const { failure, requests } = await scheduledAt(question, fail);
  expect(failure.kind).toBe("unreachable");
  expect(requests).toBe(0);
});

test.each(failing)("%s to the request itself is unknown", async (_name, fail) => {
  expect((await scheduledAt("request", fail)).failure.kind).toBe("unknown");
});

/** A pickup of which one of the three calls fails, and how often it was requested. */
async function scheduledAt(
  failing: "availability" | "price" | "request",
  fail: (response: ServerResponse) => unknown,
) {
  let requests = 0;
  const party = await aBrokenParty(({ url = "" }, response) => {
    const call = url.includes("/pickupavailability/")
      ? "availability"
      : url.endsWith("/price")
        ? "price"
        : "request";
    if (call === "request") requests += 1;
    if (call === failing) fail(response);
    else response.end(call === "availability" ? available("true") : price);
  });
  onTestFinished(() => party.close());
  const hosts = { live: party.url, test: party.url };
  const { pickups } = canadaPostCarrier(canadaPostOverRest, hosts);
  const request = {
    context: { ...context, connection: aConnection() },
    reference: `att_${"0".repeat(26)}`,
    references: { account_id: "acc_1", pickup_id: "pku_1", idempotency_key: null },
    address: toronto,
    contact: { name: "Ada Byron", phone: null, email: null },
    date: "2026-10-06",
    ready_time: "12:00",
    close_time: "17:00",
    instructions: null,
    tracking_codes: ["1"],
    package_count: 1,
    weight_grams: 2_000,
    expected_fee: { amount_cents: 350, currency: "CAD" },
  };
  const failure = await failureOf(pickups!.schedule(request, new AbortController().signal));
  return { failure, requests };
}
