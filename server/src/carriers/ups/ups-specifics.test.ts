import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canScan, scanPages, wordsOf } from "../../../test/acceptance/scan.ts";
import type { Carrier, LabelFile, LabelRequest } from "../carrier.ts";
import { inContext } from "../carrier-traits-world.ts";
import {
  aPurchase,
  aQuote,
  aShipment,
  context,
  newYork,
  seattle,
  sentLabel,
  toronto,
} from "../contract-samples-world.ts";
import { aSimulator, failureOf } from "../contract-world.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { upsCarrier } from "./adapter.ts";
import { upsDialect } from "./dialect/ups-dialect.ts";
import { addressOf } from "./parties.ts";
import { upsOverRest } from "./ups.ts";
import { aConnection } from "./ups-world.ts";

/** What is UPS's own, beside the contract of all carriers. */

const noAbort = new AbortController().signal;
const cannotScan = !(await canScan());
let simulator: Simulator;
let carrier: Carrier;
beforeAll(async () => {
  simulator = await aSimulator(undefined, [upsDialect]);
  carrier = at(aConnection());
});
afterAll(() => simulator.close());

function at(connection: ReturnType<typeof aConnection>): Carrier {
  const url = `${simulator.url}/dialects/ups`;
  return inContext(upsCarrier(upsOverRest, { live: url, test: url }), { ...context, connection });
}

async function aPurchaseOf(
  steering: string | null = null,
  change: (request: LabelRequest) => LabelRequest = (request) => request,
): Promise<LabelRequest> {
  const quote = aQuote(carrier, steering);
  const { rates } = await carrier.quote(quote, noAbort);
  return change(aPurchase(carrier, quote, rates[0]!));
}

const pieces =
  (count: number) =>
  (request: LabelRequest): LabelRequest => {
    const [one] = request.shipment.packages;
    return { ...request, shipment: { ...request.shipment, packages: Array(count).fill(one) } };
  };

/** How often something was done under a reference, by the simulator's journal. */
async function committed(reference: string, operation: string): Promise<number> {
  const answer = await fetch(`${simulator.url}/journal`);
  const { data } = (await answer.json()) as { data: { reference: string; operation: string }[] };
  return data.filter((entry) => entry.reference === reference && entry.operation === operation)
    .length;
}

const labelOf = (files: LabelFile[] | "pending") =>
  (files as LabelFile[]).find(({ type }) => type === "label")!;

describe("outcomes that are not heard", () => {
  test("an empty success may have bought a label, and tracking finds it", async () => {
    const request = await aPurchaseOf("sim:empty_ok=ups");
    const failure = await failureOf(carrier.buyLabel(request, noAbort));
    expect(failure).toMatchObject({ kind: "unknown", carrier_code: "bad_answer" });
    const found = await carrier.lookUpLabel(sentLabel(request), noAbort);
    expect(found).toMatchObject({ state: "live", cost: null, files: "fetch" });
  });

  test("an empty success with an error in its headers bought nothing", async () => {
    const request = await aPurchaseOf("sim:refuse_in_ok=ups");
    const failure = await failureOf(carrier.buyLabel(request, noAbort));
    expect(failure).toMatchObject({ kind: "refused", carrier_code: "1" });
    expect(await committed(request.reference, "label")).toBe(0);
  });

  test("tracking by reference lags, and shows nothing meanwhile", async () => {
    const request = await aPurchaseOf("sim:lag=ups:3600");
    await carrier.buyLabel(request, noAbort);
    expect(await carrier.lookUpLabel(sentLabel(request), noAbort)).toBeNull();
    expect(upsOverRest.lookUp).toMatchObject({ absence: "hint" });
  });

  test("a label of another account is not found under the same reference", async () => {
    const request = await aPurchaseOf();
    await carrier.buyLabel(request, noAbort);
    const other = at(aConnection({ account_number: "OTHER1" }));
    expect(await other.lookUpLabel(sentLabel(request), noAbort)).toBeNull();
  });
});

describe("tokens", () => {
  test("an expired one is renewed, and the label bought once", async () => {
    const request = await aPurchaseOf("sim:token_expired=ups");
    await carrier.buyLabel(request, noAbort);
    expect(await committed(request.reference, "label")).toBe(1);
  });

  test("wrong credentials are known before anything is sent", async () => {
    const request = await aPurchaseOf();
    const connection = { ...aConnection(), id: "con_wrong" };
    const secrets = { client_id: "client", client_secret: "wrong-0815" };
    const failure = await failureOf(at({ ...connection, secrets }).buyLabel(request, noAbort));
    expect(failure).toMatchObject({
      kind: "unreachable",
      exclusion: "carrier_credentials_invalid",
    });
    expect(`${failure.message} ${failure.stack}`).not.toContain("wrong-0815");
  });

  test("a throttled purchase bought nothing", async () => {
    const quiet = await aPurchaseOf();
    const { to_address } = quiet.shipment;
    const request = {
      ...quiet,
      shipment: { ...quiet.shipment, to_address: { ...to_address, address2: "sim:throttle=ups" } },
    };
    const failure = await failureOf(carrier.buyLabel(request, noAbort));
    expect(failure).toMatchObject({ kind: "refused", exclusion: "carrier_rate_limited" });
    expect(await committed(request.reference, "label")).toBe(0);
  });
});

describe("references", () => {
  test("go with each package within the United States, and with the shipment elsewhere", async () => {
    const american = at(aConnection({ account_country: "US" }));
    for (const [from, to] of [
      [newYork, seattle],
      [toronto, seattle],
    ] as const) {
      const shipment = aShipment(from, to);
      const quote = { ...aQuote(american), shipment, currency: "USD" };
      const { rates } = await american.quote(quote, noAbort);
      const request = pieces(2)(aPurchase(american, quote, rates[0]!));
      const label = await american.buyLabel(request, noAbort);
      const found = await american.lookUpLabel(sentLabel(request), noAbort);
      expect(found?.package_tracking_codes).toEqual(label.package_tracking_codes);
    }
  });
});

describe("files", () => {
  test("GIFs of several packages are one PDF, a page for each", async () => {
    const request = await aPurchaseOf(null, pieces(3));
    const label = await carrier.buyLabel(request, noAbort);
    const { bytes } = labelOf(label.files);
    const document = await PDFDocument.load(bytes);
    expect(document.getPages().map((page) => page.getSize())).toEqual(
      Array(3).fill({ width: 288, height: 432 }),
    );
  });

  test.skipIf(cannotScan)(
    "the bar code on each page of a converted label is the package's (pdftoppm, zbarimg)",
    async () => {
      const request = await aPurchaseOf(null, pieces(2));
      const label = await carrier.buyLabel(request, noAbort);
      const pages = await scanPages(labelOf(label.files).bytes);
      const codes = pages.map((found) => found.find((code) => code.startsWith("1Z")));
      expect(codes).toEqual(label.package_tracking_codes);
    },
  );

  test("a letter page and a PNG have the same label", async () => {
    for (const terms of [{ label_size: "letter" }, { label_format: "png" }] as const) {
      const request = await aPurchaseOf(null, (each) => ({ ...each, ...terms }));
      const label = await carrier.buyLabel(request, noAbort);
      const { format, bytes } = labelOf(label.files);
      expect(format).toBe(request.label_format);
      const begins = format === "png" ? "\x89PNG" : "%PDF";
      expect(bytes.toString("latin1", 0, 4)).toBe(begins);
    }
  });

  test("ZPL is passed on as it came", async () => {
    const request = await aPurchaseOf(null, (each) => ({
      ...pieces(2)(each),
      label_format: "zpl",
    }));
    const label = await carrier.buyLabel(request, noAbort);
    const text = labelOf(label.files).bytes.toString();
    expect(text.match(/\^XA/g)).toHaveLength(2);
    for (const code of label.package_tracking_codes) expect(text).toContain(code);
  });

  test("a label whose file is late is sold, and its file is had later", async () => {
    const request = await aPurchaseOf("sim:late_file=ups:1");
    const label = await carrier.buyLabel(request, noAbort);
    expect(label.files).toBe("pending");
    const ref = { ...label, context, reference: request.reference };
    await expect
      .poll(async () => (await carrier.fetchFiles(ref, "pdf", noAbort)).length)
      .toBeGreaterThan(0);
  });

  test("a price that is not told is no failure", async () => {
    const request = await aPurchaseOf("sim:late_price=ups");
    expect((await carrier.buyLabel(request, noAbort)).cost).toBeNull();
  });
});

test("what cannot be voided is refused, and nothing is", async () => {
  const request = await aPurchaseOf("sim:no_void=ups");
  const label = await carrier.buyLabel(request, noAbort);
  const ref = { ...label, context, reference: request.reference };
  const failure = await failureOf(carrier.voidLabel(ref, noAbort));
  expect(failure).toMatchObject({ kind: "refused", carrier_code: "190102" });
  expect(await committed(request.reference, "void")).toBe(0);
});

test("extras cost what they add, and a service without one is sold without it", async () => {
  const { rates } = await carrier.quote(aQuote(carrier), noAbort);
  const offered = rates.flatMap(({ add_ons }) => add_ons.map(({ code }) => code));
  expect(new Set(offered)).toEqual(
    new Set(["protection", "signature", "adult_signature", "saturday_delivery"]),
  );
  const standard = rates.find(({ service }) => service === "ups.standard")!;
  const codes = standard.add_ons.map(({ code }) => code);
  expect(codes).not.toContain("saturday_delivery");
  expect(standard.add_ons.every(({ cost_cents }) => cost_cents > 0)).toBe(true);
});

describe("published prices", () => {
  const steered = () => aQuote(carrier, "sim:published=ups");

  test("are never sold as the account's own: each service is excluded with the reason", async () => {
    const usual = await carrier.quote(aQuote(carrier), noAbort);
    expect(new Set(usual.rates.map(({ price_basis }) => price_basis))).toEqual(
      new Set(["negotiated"]),
    );
    const { rates, unavailable } = await carrier.quote(steered(), noAbort);
    expect(rates).toEqual([]);
    const reasons = new Map(unavailable.map(({ service, reason }) => [service, reason]));
    for (const { service } of usual.rates)
      expect(reasons.get(service)).toBe("carrier_credentials_invalid");
  });

  test("are sold to an account that asks for no others", async () => {
    const without = at(aConnection({ negotiated_rates: "no" }));
    const { rates } = await without.quote(steered(), noAbort);
    expect(new Set(rates.map(({ price_basis }) => price_basis))).toEqual(new Set(["published"]));
  });
});

test("an address is checked in the United States, and not elsewhere", async () => {
  const check = (address: typeof newYork) =>
    carrier.addresses!.check({ context, address }, noAbort);
  expect(await check(newYork)).toMatchObject({
    state: "found",
    is_residential: true,
    candidates: [{ address1: "20 W 34TH ST", postal_code: "10001-0001" }],
  });
  expect(await check({ ...newYork, address1: "Unknown 1" })).toMatchObject({ state: "not_found" });
  expect(await check(toronto)).toMatchObject({ state: "not_covered" });
});

test("places near an address are the nearest first", async () => {
  const places = await carrier.locations!.near({ context, address: toronto, limit: 5 }, noAbort);
  expect(places.map(({ distance_metres }) => distance_metres)).toEqual([1_200, 3_500]);
});

const aScarf = {
  sku: null,
  title: "Wool scarf",
  description: null,
  customs_description: null,
  quantity: 1,
  value: 40,
  currency: "CAD",
  weight: null,
  weight_unit: null,
  country_of_origin: "CA",
  hs_code: "610910",
  manufacturer: null,
};

describe("what is printed", () => {
  async function zplOf(change: (request: LabelRequest) => LabelRequest): Promise<string> {
    const request = await aPurchaseOf(null, (given) => change({ ...given, label_format: "zpl" }));
    const { files } = await carrier.buyLabel(request, noAbort);
    return labelOf(files).bytes.toString();
  }
  const to =
    (lines: Partial<LabelRequest["shipment"]["to_address"]>) => (request: LabelRequest) => {
      const { shipment } = request;
      return {
        ...request,
        shipment: { ...shipment, to_address: { ...shipment.to_address, ...lines } },
      };
    };

  test.each([
    ["Rue Notre-Dame", null],
    [
      "1600 Pennsylvania Avenue Northwest Building Wings",
      "Suite 4500, Loading dock B, Etage superieur 12 X",
    ],
    ["1".repeat(50), "2".repeat(50)],
    [
      "Wide words of ten letters each, in a row, for fifty",
      "Other words of ten letters each, in a row, for more",
    ],
  ])("an address of two long lines loses no letter: %s, %s", (address1, address2) => {
    const { AddressLine } = addressOf({ ...toronto, address1, address2 });
    const letters = (text: string) => text.replaceAll(" ", "");
    expect(letters(AddressLine.join(""))).toBe(letters(address1 + (address2 ?? "")));
    expect(AddressLine.length).toBeLessThanOrEqual(3);
    for (const line of AddressLine) expect(line.length).toBeLessThanOrEqual(35);
  });

  test("a label has its whole address", async () => {
    const address1 = "1600 Pennsylvania Avenue Northwest Building";
    const zpl = await zplOf(to({ address1, address2: "Suite 4500, Loading dock B, Floor 12 X" }));
    for (const word of ["Building", "Suite", "dock", "12 X"]) expect(zpl).toContain(word);
  });

  test.skipIf(cannotScan)("the commercial invoice has the goods and their sum", async () => {
    const request = await aPurchaseOf();
    const { shipment } = request;
    const items = [
      { ...aScarf, quantity: 3, value: 40 },
      { ...aScarf, title: "Felt hat", quantity: 1, value: 59.95 },
    ];
    const abroad = { ...shipment, to_address: seattle, items, reference: "PO-4711" };
    const { files } = await carrier.buyLabel({ ...request, shipment: abroad }, noAbort);
    const invoice = (files as LabelFile[]).find(({ type }) => type === "commercial_invoice")!;
    const [text] = await wordsOf(invoice.bytes);
    for (const words of ["PO-4711", "Wool scarf", "Felt hat", "120.00", "179.95 CAD", "610910"])
      expect(text).toContain(words);
  });

  test("the labels of several packages are numbered, and have the customer's reference", async () => {
    const zpl = await zplOf((request) => {
      const several = pieces(3)(request);
      return { ...several, shipment: { ...several.shipment, reference: "PO-4711" } };
    });
    for (const place of ["1 OF 3", "2 OF 3", "3 OF 3", "PO-4711"]) expect(zpl).toContain(place);
  });
});
