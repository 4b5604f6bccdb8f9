import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Carrier, CarrierLabel, LabelRequest } from "../carrier.ts";
import type { CarrierConnection } from "../connection.ts";
import { aBrokenParty } from "../broken-party-world.ts";
import { inContext } from "../carrier-traits-world.ts";
import {
  aPurchase,
  aQuote,
  context,
  manifestReferences,
  seattle,
  sentLabel,
  toronto,
} from "../contract-samples-world.ts";
import { aSimulator, failureOf } from "../contract-world.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { canadaPostCarrier } from "./adapter.ts";
import { aConnection } from "./canada-post-world.ts";
import { contractOf } from "./credentials.ts";
import { toShipment } from "./shipments.ts";
import { canadaPostOverRest } from "./canada-post.ts";
import { canadaPostDialect } from "./dialect/canada-post-dialect.ts";

/** What is Canada Post's own, beside the contract of all carriers. */

const noAbort = new AbortController().signal;
let simulator: Simulator;
beforeAll(async () => {
  simulator = await aSimulator(undefined, [canadaPostDialect]);
});
afterAll(() => simulator.close());

function at(url: string, connection: CarrierConnection = aConnection()): Carrier {
  const carrier = canadaPostCarrier(canadaPostOverRest, { live: url, test: url });
  return inContext(carrier, { ...context, connection });
}
const here = (connection?: CarrierConnection) =>
  at(`${simulator.url}/dialects/canada_post`, connection);

async function aPurchaseOf(carrier: Carrier, steering: string | null = null) {
  const quote = aQuote(carrier, steering);
  const { rates } = await carrier.quote(quote, noAbort);
  return aPurchase(carrier, quote, rates[0]!);
}

async function bought(carrier: Carrier, steering: string | null = null) {
  const request = await aPurchaseOf(carrier, steering);
  const label = await carrier.buyLabel(request, noAbort);
  return { request, label, ref: refOf(request, label) };
}

function refOf({ reference }: LabelRequest, label: CarrierLabel) {
  return { ...label, context, reference };
}

describe("files", () => {
  test("a label whose file is late is sold, and its file is had later", async () => {
    const carrier = here();
    const { label, ref, request } = await bought(carrier, "sim:late_file=*:1");
    expect(label.files).toBe("pending");
    expect(label.cost).toEqual(request.expected_cost);
    expect((await failureOf(carrier.fetchFiles(ref, "pdf", noAbort))).kind).toBe("unknown");
    const seen = await carrier.lookUpLabel(sentLabel(request), noAbort);
    expect(seen).toMatchObject({ files: "fetch", state: "live" });
    await expect.poll(() => carrier.fetchFiles(ref, "pdf", noAbort).catch(() => null)).toBeTruthy();
  });

  test("a broken file server leaves the label sold", async () => {
    for (const answer of [
      (response: ServerResponse) => response.writeHead(503).end(),
      (response: ServerResponse) => response.end("<html/>"),
      (response: ServerResponse) => response.end("%PDF-1.4\nhalf of it"),
      (response: ServerResponse) => response.destroy(),
    ]) {
      const carrier = await playing((path, response) => {
        if (path.includes("/artifact/")) answer(response);
        else response.end(shipmentInfo);
      });
      const { files, tracking_code } = await carrier.buyLabel(await aPurchaseOf(here()), noAbort);
      expect({ files, tracking_code }).toEqual({ files: "pending", tracking_code: "123456789012" });
    }
  });

  test("credentials go to the carrier's host alone, whatever host a link names", async () => {
    const heard: string[] = [];
    const carrier = await playing((path, response) => {
      heard.push(path);
      response.end(path.includes("/artifact/") ? "%PDF-1.4 %%EOF" : shipmentInfo);
    });
    const { files } = await carrier.buyLabel(await aPurchaseOf(here()), noAbort);
    expect(files).toMatchObject([{ type: "label", format: "pdf" }]);
    expect(heard.at(-1)).toBe("/rs/artifact/6e93/1/0");
  });
});

describe("voids", () => {
  test("what is not transmitted is deleted, twice as well, and was never charged", async () => {
    const carrier = here();
    const { ref } = await bought(carrier);
    expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "approved" });
    expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "approved" });
    expect(await carrier.refundState(ref, noAbort)).toBe("approved");
  });

  test("what is transmitted gets a refund ticket, twice as well, and is pending", async () => {
    const carrier = here();
    const { ref, request } = await bought(carrier);
    await carrier.manifests!.create(manifestOf([ref], request), noAbort);
    expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "pending" });
    expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "pending" });
    expect(await carrier.refundState(ref, noAbort)).toBe("pending");
  });

  test("the refund of a label that was used is rejected", async () => {
    const carrier = here();
    const { ref } = await bought(carrier, "sim:used_label");
    expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "pending" });
    expect(await carrier.refundState(ref, noAbort)).toBe("rejected");
  });

  const empty = '<messages xmlns="http://www.canadapost.ca/ws/messages"/>';
  test.each([
    ["200 without a body", 200, ""],
    ["200 with empty messages", 200, empty],
    ["202", 202, ""],
    ["a foreign 404", 404, "<h1>Not found</h1>"],
    ["500", 500, empty],
    ["400 with empty messages", 400, empty],
  ])(
    "%s is no success of a void, whether the shipment is listed or not",
    async (_name, status, body) => {
      for (const listed of [shipments, "<shipments/>"]) {
        const carrier = await playing((path, response) => {
          if (path.includes("requestId")) response.end(listed);
          else response.writeHead(status).end(body);
        });
        const ref = { ...sold, context, reference: "att_1" };
        expect((await failureOf(carrier.voidLabel(ref, noAbort))).kind).toBe("unknown");
      }
    },
  );

  test("a 404 that says why does not say that the shipment is gone", async () => {
    const carrier = await playing((path, response) => {
      if (path.includes("requestId")) response.end("<shipments/>");
      else response.writeHead(404).end(messages("9100", "The customer is not ours."));
    });
    const ref = { ...sold, context, reference: "att_1" };
    expect((await failureOf(carrier.voidLabel(ref, noAbort))).kind).toBe("refused");
  });
});

describe("manifests", () => {
  test("a manifest has the labels that were named, and neither the others nor what was voided", async () => {
    const carrier = here();
    const [first, second, other] = [
      await bought(carrier),
      await bought(carrier),
      await bought(carrier),
    ];
    await carrier.voidLabel(second.ref, noAbort);
    const manifest = await carrier.manifests!.create(
      manifestOf([first.ref], first.request),
      noAbort,
    );
    expect(manifest.files[0]!.bytes.subarray(0, 5).toString()).toBe("%PDF-");
    const entry = await lastOf("manifest");
    expect(entry.label_ids.map(compact)).toEqual([first.label.carrier_label_id]);
    const again = carrier.manifests!.create(manifestOf([first.ref], first.request), noAbort);
    expect(await failureOf(again)).toMatchObject({ kind: "refused", field: "shipment_ids" });
    const voided = carrier.manifests!.create(manifestOf([second.ref], second.request), noAbort);
    expect((await failureOf(voided)).kind).toBe("refused");
    await carrier.manifests!.create(manifestOf([other.ref], other.request), noAbort);
  });
});

describe("the document of a manifest", () => {
  const made = `<manifests><link rel="manifest" href="https://elsewhere.example/rs/1/1/manifest/77"
    media-type="application/vnd.cpc.manifest-v8+xml"/></manifests>`;
  const manifest = `<manifest><po-number>P123456789</po-number><links><link rel="artifact"
    href="https://elsewhere.example/rs/artifact/77/2/0" media-type="application/pdf"/></links></manifest>`;
  const label = {
    ...sold,
    context,
    reference: "att_1",
    carrier_data: { kind: "contract", group_id: "g" },
  };
  const request = {
    context,
    reference: "att_2",
    references: manifestReferences,
    labels: [label],
    ship_date: "2026-10-06",
    from_address: toronto,
  };

  test.each([
    ["503", (response: ServerResponse) => response.writeHead(503).end()],
    ["a refusal", (response: ServerResponse) => response.writeHead(403).end(messages("1", "No."))],
    ["a reset", (response: ServerResponse) => response.destroy()],
  ])(
    "%s: a manifest stands whose document cannot be fetched, and it is fetched later",
    async (_name, fail) => {
      let isThere = false;
      const carrier = await playing((path, response) => {
        if (path.includes("groupId")) response.end(shipments);
        else if (path.endsWith("/manifest")) response.end(made);
        else if (!isThere) fail(response);
        else response.end(path.includes("/artifact/") ? "%PDF-1.4 %%EOF" : manifest);
      });
      const { files, ...stands } = await carrier.manifests!.create(request, noAbort);
      expect(files).toEqual([]);
      expect(stands.carrier_data).toEqual({ manifests: ["/rs/1/1/manifest/77"] });
      isThere = true;
      const later = await carrier.manifests!.files({ ...request, ...stands }, noAbort);
      expect(later.map(({ type, format }) => [type, format])).toEqual([["manifest", "pdf"]]);
    },
  );
});

describe("without a contract", () => {
  const noContract = () => here(aConnection({ contract_id: "" }));

  test("a label is sold at its receipt's price, found in the list, and refunded by ticket", async () => {
    const carrier = noContract();
    const { label, ref, request } = await bought(carrier);
    expect(label.cost).toEqual(request.expected_cost);
    const seen = await carrier.lookUpLabel(sentLabel(request), noAbort);
    expect(seen).toMatchObject({ tracking_code: label.tracking_code, cost: label.cost });
    expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "pending" });
    expect(await carrier.refundState(ref, noAbort)).toBe("pending");
  });

  test("that a label is not in the list proves nothing", async () => {
    const carrier = noContract();
    const never = sentLabel(await aPurchaseOf(carrier));
    expect(await failureOf(carrier.lookUpLabel(never, noAbort))).toMatchObject({
      kind: "unknown",
      carrier_code: "absence_unproven",
    });
  });
});

test("a label without an echo of its request id is found by its details, and another's is not", async () => {
  const details = (id: string) =>
    `<shipment-details><customer-request-id>${id}</customer-request-id></shipment-details>`;
  const request = await aPurchaseOf(here());
  for (const [id, isFound] of [
    [request.reference, true],
    ["another's", false],
  ] as const) {
    const carrier = await playing((path, response) => {
      if (path.includes("/details")) response.end(details(id));
      else if (path.includes("/artifact/")) response.writeHead(503).end();
      else response.end(shipments);
    });
    const seen = await carrier.lookUpLabel(sentLabel(request), noAbort);
    expect(seen?.tracking_code).toBe(isFound ? "123456789012" : undefined);
  }
});

test.each([
  ["Server", "Rejected by SLM Monitor"],
  ["9100", "The customer is not ours."],
])("a 404 that says why (%s) proves no absence, and no refund", async (code, description) => {
  const carrier = await playing((_path, response) => {
    response.writeHead(404).end(messages(code, description));
  });
  const sent = sentLabel(await aPurchaseOf(here()));
  expect((await failureOf(carrier.lookUpLabel(sent, noAbort))).carrier).toBe("canada_post");
  const ref = { ...sold, context, reference: "att_1" };
  expect((await failureOf(carrier.refundState(ref, noAbort))).carrier).toBe("canada_post");
});

test("a call beyond the limit is refused as such, with whatever status it comes", async () => {
  for (const status of [200, 403, 500, 503]) {
    const carrier = await playing((_path, response) => {
      response.writeHead(status).end(messages("Server", "Rejected by SLM Monitor"));
    });
    expect(await failureOf(carrier.quote(aQuote(carrier), noAbort))).toMatchObject({
      kind: "refused",
      exclusion: "carrier_rate_limited",
    });
  }
});

test("a return costs when it is used: it is sold without a price, and voided by not being used", async () => {
  const carrier = here();
  const request = await aPurchaseOf(carrier);
  const shipment = { ...request.shipment, is_return: true };
  const label = await carrier.buyLabel({ ...request, shipment }, noAbort);
  expect(label).toMatchObject({ cost: null, files: [{ type: "label", format: "pdf" }] });
  const ref = refOf(request, label);
  expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "approved" });
  expect(await carrier.refundState(ref, noAbort)).toBe("approved");
});

const aCustomsLine = {
  sku: null,
  title: "Notebook",
  description: null,
  customs_description: null,
  quantity: 3,
  value: 12.5,
  currency: "CAD",
  weight: null,
  weight_unit: null,
  country_of_origin: "CA",
  hs_code: "4820.10",
  manufacturer: null,
};

test("customs lines without a weight share what the parcel weighs without the others", async () => {
  const carrier = here();
  const quote = aQuote(carrier);
  const items = [aCustomsLine, { ...aCustomsLine, weight: 0.5, weight_unit: "kg" as const }];
  const shipment = { ...quote.shipment, to_address: seattle, items };
  const { rates } = await carrier.quote({ ...quote, shipment }, noAbort);
  const request = aPurchase(carrier, { ...quote, shipment }, rates[0]!);
  const sent = toShipment(request, contractOf(aConnection()));
  const weights = [...sent.matchAll(/<unit-weight>(.*?)</g)].map(([, weight]) => weight);
  // Of 2 kg, three units of half a kilogram; the other three have the rest.
  expect(weights.map(Number)).toEqual([0.166, 0.5]);
  expect((await carrier.buyLabel(request, noAbort)).tracking_code).toBeTruthy();
});

const twoLongLines = { address1: "A street ".repeat(5), address2: "A building ".repeat(5) };

test("a sender without a phone number has the connection's, or a placeholder", async () => {
  const carrier = here();
  const quote = aQuote(carrier);
  const shipment = { ...quote.shipment, from_address: { ...toronto, phone: null } };
  const { rates } = await carrier.quote({ ...quote, shipment }, noAbort);
  const request = aPurchase(carrier, { ...quote, shipment }, rates[0]!);
  expect((await carrier.buyLabel(request, noAbort)).tracking_code).toBeTruthy();
});

test("an address that Canada Post would not take excludes its services", async () => {
  const carrier = here();
  const quote = aQuote(carrier);
  const shipment = { ...quote.shipment, from_address: { ...toronto, ...twoLongLines } };
  const { rates, unavailable } = await carrier.quote({ ...quote, shipment }, noAbort);
  expect(rates).toEqual([]);
  expect(unavailable.map(({ reason }) => reason)).toContain("address_incomplete");
});

test.each([
  ["zpl", "zpl"],
  ["png", "pdf"],
] as const)("a label that is wanted as %s comes as %s", async (label_format, format) => {
  const carrier = here();
  const request = await aPurchaseOf(carrier);
  const { files } = await carrier.buyLabel({ ...request, label_format }, noAbort);
  expect(files).toMatchObject([{ type: "label", format }]);
});

test("post offices are found", async () => {
  const request = { context, address: toronto, limit: 5 };
  const places = await here().locations!.near(request, noAbort);
  expect(places).toMatchObject([{ id: "0000100001", distance_metres: 650 }, {}]);
});

const shipmentInfo = `<shipment-info><shipment-id>5450</shipment-id><shipment-status>created</shipment-status>
  <tracking-pin>123456789012</tracking-pin><links>
  <link rel="label" href="https://elsewhere.example/rs/artifact/6e93/1/0" media-type="application/pdf"/>
  </links></shipment-info>`;
const shipments = `<shipments>${shipmentInfo}</shipments>`;
const sold = {
  carrier_label_id: "5450",
  tracking_code: "123456789012",
  carrier_data: { kind: "contract" },
};

function messages(code: string, description: string): string {
  return `<messages><message><code>${code}</code><description>${description}</description></message></messages>`;
}

/** Canada Post, played by a few answers. */
async function playing(answer: (path: string, response: ServerResponse) => void) {
  const party = await aBrokenParty((request, response) => answer(request.url ?? "", response));
  onTestFinished(() => party.close());
  return at(party.url);
}

function manifestOf(labels: ReturnType<typeof refOf>[], { shipment }: LabelRequest) {
  const { from_address, ship_date } = shipment;
  const references = manifestReferences;
  return { context, reference: "man_1", references, labels, from_address, ship_date };
}

async function lastOf(operation: string): Promise<{ label_ids: string[] }> {
  const answer = await fetch(`${simulator.url}/journal`);
  const { data } = (await answer.json()) as {
    data: { operation: string; label_ids: string[] }[];
  };
  return data.findLast((entry) => entry.operation === operation)!;
}

function compact(id: string): string {
  return id.replaceAll("-", "");
}
