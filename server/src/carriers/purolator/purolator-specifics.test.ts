import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Carrier, CarrierLabel, LabelRequest } from "../carrier.ts";
import { aBrokenParty } from "../broken-party-world.ts";
import { inContext } from "../carrier-traits-world.ts";
import {
  aPurchase,
  aQuote,
  context,
  manifestReferences,
  sentLabel,
  toronto,
  vancouver,
} from "../contract-samples-world.ts";
import { aSimulator, failureOf } from "../contract-world.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { purolatorCarrier } from "./adapter.ts";
import { purolatorDialect } from "./dialect/purolator-dialect.ts";
import { aConnection } from "./purolator-world.ts";
import { purolatorOverSoap } from "./purolator.ts";

/** What is Purolator's own, beside the contract of all carriers. */

const noAbort = new AbortController().signal;
let simulator: Simulator;
beforeAll(async () => {
  simulator = await aSimulator(undefined, [purolatorDialect]);
});
afterAll(() => simulator.close());

function at(url: string): Carrier {
  const carrier = purolatorCarrier(purolatorOverSoap, { live: url, test: url });
  return inContext(carrier, { ...context, connection: aConnection() });
}
const here = () => at(`${simulator.url}/dialects/purolator`);

async function aPurchaseOf(steering: string | null = null, pieces = 1): Promise<LabelRequest> {
  const carrier = here();
  const quote = aQuote(carrier, steering);
  const packages = Array.from({ length: pieces }, () => quote.shipment.packages[0]!);
  const request = { ...quote, shipment: { ...quote.shipment, packages } };
  const { rates } = await carrier.quote(request, noAbort);
  return aPurchase(carrier, request, rates[0]!);
}

function refOf({ reference }: LabelRequest, label: CarrierLabel) {
  return { ...label, context, reference };
}

test("three pieces whose answer is lost stay open, and say why: 2800002 proves that they were bought", async () => {
  const carrier = here();
  const request = await aPurchaseOf("sim:lost_answer", 3);
  expect((await failureOf(carrier.buyLabel(request, noAbort))).kind).toBe("unknown");
  const failure = await failureOf(carrier.lookUpLabel(sentLabel(request), noAbort));
  expect(failure).toMatchObject({ kind: "unknown", carrier_code: "2800002" });
  expect(failure.message).toContain("2800002");
});

test("taxes are no part of a cost: neither of a rate's, nor of what a label turned out to cost", async () => {
  const request = await aPurchaseOf();
  const label = await here().buyLabel(request, noAbort);
  expect(label.cost).toEqual(request.expected_cost);
  const answer = await fetch(`${simulator.url}/journal`);
  const { data } = (await answer.json()) as { data: { reference: string; amount_cents: number }[] };
  // The simulator's estimate adds 13 % to it in `Taxes` and `TotalPrice`.
  const sold = data.find(({ reference }) => reference === request.reference);
  expect(sold?.amount_cents).toBe(request.expected_cost.amount_cents);
});

test("what became more expensive since the quote is not bought", async () => {
  const carrier = here();
  const request = await aPurchaseOf("sim:price_up");
  const failure = await failureOf(carrier.buyLabel(request, noAbort));
  expect(failure).toMatchObject({ kind: "refused", carrier_code: "price_changed" });
  expect(failure.actual_cost!.amount_cents).toBeGreaterThan(request.expected_cost.amount_cents);
});

test("a service that is not priced any more is not bought", async () => {
  const sent: string[] = [];
  const carrier = await playing((path, response) => {
    sent.push(path);
    response.end(envelope("GetFullEstimateResponse", "<ShipmentEstimates/>"));
  });
  const failure = await failureOf(carrier.buyLabel(await aPurchaseOf(), noAbort));
  expect(failure).toMatchObject({ kind: "refused", carrier_code: "price_changed" });
  expect(sent).toHaveLength(1);
});

test("a void waits for its refund where any of the packages was used, not only the first", async () => {
  const request = await aPurchaseOf(null, 2);
  const label = await here().buyLabel(request, noAbort);
  const [first = "", second = ""] = label.package_tracking_codes;
  const accepted = envelope(
    "VoidShipmentResponse",
    "<ResponseInformation><Errors/></ResponseInformation><ShipmentVoided>true</ShipmentVoided>",
  );
  const seen = (pin: string, scans: string) =>
    `<TrackingInformation><PIN><Value>${pin}</Value></PIN><Scans>${scans}</Scans></TrackingInformation>`;
  const use = (pin: string) =>
    `<Scan><ScanType>Other</ScanType><PIN><Value>${pin}</Value></PIN><ScanDate>2026-11-28</ScanDate><ScanTime>101500</ScanTime><Description>New tracking number assigned</Description></Scan>`;
  const refundAfter = async (tracked: string) => {
    const carrier = await playing((path, response) =>
      response.end(
        path.includes("Tracking")
          ? envelope(
              "TrackPackagesByPinResponse",
              `<ResponseInformation><Errors/></ResponseInformation><TrackingInformationList>${tracked}</TrackingInformationList>`,
            )
          : accepted,
      ),
    );
    const ref = refOf(request, label);
    const { refund } = await carrier.voidLabel(ref, noAbort);
    return [refund, await carrier.refundState(ref, noAbort)];
  };
  expect(await refundAfter(seen(first, "") + seen(second, use(second)))).toEqual([
    "pending",
    "rejected",
  ]);
  expect(await refundAfter(seen(first, "") + seen(second, ""))).toEqual(["approved", "none"]);
});

test("a void of another day is refused honestly", async () => {
  const refusal = envelope(
    "VoidShipmentResponse",
    "<ResponseInformation><Errors><Error><Code>1100429</Code><Description>Only today.</Description></Error></Errors></ResponseInformation><ShipmentVoided>false</ShipmentVoided>",
  );
  const carrier = await playing((_path, response) => response.end(refusal));
  expect(await failureOf(carrier.voidLabel(sold, noAbort))).toMatchObject({
    kind: "refused",
    carrier_code: "void_too_late",
    message: "Purolator only cancels a shipment on the day of its purchase.",
  });
});

test.each([
  [
    "false",
    "<ResponseInformation><Errors/></ResponseInformation><ShipmentVoided>false</ShipmentVoided>",
  ],
  ["0", "<ResponseInformation><Errors/></ResponseInformation><ShipmentVoided>0</ShipmentVoided>"],
  ["nothing", ""],
])("a void that answers %s is no success", async (_name, content) => {
  const answer = envelope("VoidShipmentResponse", content);
  const carrier = await playing((_path, response) => response.end(answer));
  expect((await failureOf(carrier.voidLabel(sold, noAbort))).kind).toBe("unknown");
});

test.each([
  ["false", "<Consolidate>false</Consolidate>"],
  ["0", "<Consolidate>0</Consolidate>"],
  ["an empty element", "<Consolidate/>"],
  ["nil", '<Consolidate xmlns:i="i" i:nil="true"/>'],
  ["nothing", ""],
])("an end of the day that answers %s is none", async (_name, content) => {
  const answer = envelope("ConsolidateResponse", content);
  const carrier = await playing((_path, response) => response.end(answer));
  const failure = await failureOf(carrier.manifests!.create(anEndOfTheDay, noAbort));
  expect(failure.kind).toBe("unknown");
});

test.each(["true", "1"])("what answers %s was done", async (done) => {
  const answer = `<s:Envelope xmlns:s="e"><s:Body>
    <VoidShipmentResponse><ShipmentVoided>${done}</ShipmentVoided></VoidShipmentResponse>
    <VoidPickUpResponse><PickUpVoided>${done}</PickUpVoided></VoidPickUpResponse>
    <ConsolidateResponse><Consolidate>${done}</Consolidate></ConsolidateResponse>
    </s:Body></s:Envelope>`;
  const carrier = await playing((_path, response) => response.end(answer));
  expect(await carrier.voidLabel(sold, noAbort)).toEqual({ refund: "approved" });
  const { manifests, pickups } = carrier;
  expect((await manifests!.create(anEndOfTheDay, noAbort)).files).toEqual([]);
  const pickup = { carrier_pickup_id: "1", confirmation_number: "1", date: "2026-10-06" };
  const cancel = { context, reference: "att_1", ...pickup, carrier_data: null };
  await expect(pickups!.cancel(cancel, noAbort)).resolves.toBeUndefined();
});

describe("documents", () => {
  test.each([
    ["zpl", "zpl"],
    ["png", "pdf"],
  ] as const)("a label that is wanted as %s comes as %s", async (label_format, format) => {
    const request = await aPurchaseOf();
    const { files } = await here().buyLabel({ ...request, label_format }, noAbort);
    expect(files).toMatchObject([{ type: "label", format }]);
  });

  test("a document that is late leaves the label sold, and is had later", async () => {
    const carrier = here();
    const request = await aPurchaseOf("sim:late_file=*:1");
    const label = await carrier.buyLabel(request, noAbort);
    expect(label).toMatchObject({ files: "pending", cost: request.expected_cost });
    const fetch = () => carrier.fetchFiles(refOf(request, label), "pdf", noAbort);
    expect(await failureOf(fetch())).toMatchObject({ carrier_code: "file_not_ready" });
    await expect.poll(() => fetch().catch(() => null)).toMatchObject([{ format: "pdf" }]);
  });

  test("a document behind an address is fetched without credentials, from the carrier's hosts alone", async () => {
    const heard: (string | undefined)[] = [];
    const documents = (url: string) =>
      envelope(
        "GetDocumentsResponse",
        `<ResponseInformation><Errors/></ResponseInformation><Documents><Document><DocumentDetails><DocumentDetail><DocumentType>DomesticBillOfLadingThermal</DocumentType><DocumentStatus>Completed</DocumentStatus><URL>${url}</URL></DocumentDetail></DocumentDetails></Document></Documents>`,
      );
    let base = "";
    const party = await aBrokenParty((request, response) => {
      if (request.method === "GET") {
        heard.push(request.headers.authorization);
        response.end("%PDF-1.4 %%EOF");
      } else response.end(documents(`${base}/label.pdf`));
    });
    onTestFinished(() => party.close());
    base = party.url;
    expect(await at(party.url).fetchFiles(sold, "pdf", noAbort)).toMatchObject([
      { type: "label", format: "pdf" },
    ]);
    expect(heard).toEqual([undefined]);
    base = "http://169.254.169.254";
    expect((await failureOf(at(party.url).fetchFiles(sold, "pdf", noAbort))).kind).toBe("unknown");
    expect(heard).toHaveLength(1);
  });
});

test("a finding of the validation refuses, and any other fault proves nothing", async () => {
  const fault = (detail: string) =>
    `<s:Envelope xmlns:s="e"><s:Body><s:Fault><faultcode>s</faultcode><faultstring>No.</faultstring>${detail}</s:Fault></s:Body></s:Envelope>`;
  const finding = fault(
    "<detail><ValidationFault><Details><ValidationDetail><Key>City</Key><Message>Too long.</Message></ValidationDetail></Details></ValidationFault></detail>",
  );
  for (const [body, kind] of [
    [finding, "refused"],
    [fault(""), "unknown"],
  ] as const) {
    const request = await aPurchaseOf();
    const { carrier_service_code } = request.service;
    const estimate = `<ShipmentEstimate><ServiceID>${carrier_service_code}</ServiceID><BasePrice>1.00</BasePrice></ShipmentEstimate>`;
    const estimates = `<ShipmentEstimates>${estimate}</ShipmentEstimates>`;
    const carrier = await playing((path, response) => {
      if (path.includes("Estimating")) response.end(envelope("GetFullEstimateResponse", estimates));
      else response.writeHead(500).end(body);
    });
    expect((await failureOf(carrier.buyLabel(request, noAbort))).kind).toBe(kind);
  }
});

test("an address at a post box excludes the services", async () => {
  const carrier = here();
  const quote = aQuote(carrier);
  const to_address = { ...vancouver, address1: "PO Box 12" };
  const { rates, unavailable } = await carrier.quote(
    { ...quote, shipment: { ...quote.shipment, to_address } },
    noAbort,
  );
  expect(rates).toEqual([]);
  expect(unavailable.map(({ reason }) => reason)).toContain("address_incomplete");
});

test.each([
  ["without a street number", { address1: "Main Street" }],
  ["at a rural route", { address1: "RR 2" }],
  ["without a phone number", { phone: null }],
  ["without a whole phone number", { phone: "555-0100" }],
  ["of a company alone", { name: null, company: "Byron Ltd" }],
])("an address %s is sent from and delivered to", async (_name, change) => {
  const carrier = here();
  const quote = aQuote(carrier);
  const from_address = { ...toronto, ...change };
  const to_address = { ...vancouver, ...change };
  const asked = { ...quote, shipment: { ...quote.shipment, from_address, to_address } };
  const { rates } = await carrier.quote(asked, noAbort);
  const request = aPurchase(carrier, asked, rates[0]!);
  const label = await carrier.buyLabel(request, noAbort);
  expect(label.files).toMatchObject([{ type: "label", format: "pdf" }]);
});

test("the day is consolidated, and its manifest is had; what is on it is not voided", async () => {
  const carrier = here();
  const request = await aPurchaseOf();
  const label = await carrier.buyLabel(request, noAbort);
  const ref = refOf(request, label);
  const { from_address, ship_date } = request.shipment;
  const references = manifestReferences;
  const made = await carrier.manifests!.create(
    { context, reference: "man_1", references, labels: [ref], from_address, ship_date },
    noAbort,
  );
  expect(made.files.map(({ type, format }) => [type, format])).toEqual([["manifest", "pdf"]]);
  expect((await failureOf(carrier.voidLabel(ref, noAbort))).kind).toBe("refused");
});

test("a label is had as ZPL", async () => {
  const carrier = here();
  const request = { ...(await aPurchaseOf()), label_format: "zpl" } as const;
  const { files } = await carrier.buyLabel(request, noAbort);
  expect(files).toMatchObject([{ type: "label", format: "zpl" }]);
});

test("a return is bought, and has a label", async () => {
  const carrier = here();
  const request = await aPurchaseOf();
  const shipment = { ...request.shipment, is_return: true };
  const label = await carrier.buyLabel({ ...request, shipment }, noAbort);
  expect(label.files).toMatchObject([{ type: "label", format: "pdf" }]);
});

test("cities are checked, depots are found, and a connection is tested", async () => {
  const carrier = here();
  const check = (address: typeof toronto) =>
    carrier.addresses!.check({ context, address }, noAbort);
  expect(await check(toronto)).toMatchObject({ state: "found" });
  expect(await check({ ...toronto, postal_code: "X" })).toMatchObject({ state: "not_found" });
  const places = await carrier.locations!.near({ context, address: toronto, limit: 5 }, noAbort);
  expect(places).toMatchObject([{ id: "D001", distance_metres: 800 }, {}]);
  expect(await carrier.testConnection!(aConnection(), noAbort)).toMatchObject({ ok: true });
  const wrong = { ...aConnection(), secrets: { key: "", password: "" } };
  expect(await carrier.testConnection!(wrong, noAbort)).toMatchObject({
    ok: false,
    code: "credentials_invalid",
  });
});

const sold = {
  context,
  reference: "att_1",
  carrier_label_id: "329014521622",
  tracking_code: "329014521622",
  carrier_data: null,
};

const anEndOfTheDay = {
  context,
  reference: "man_1",
  references: manifestReferences,
  labels: [sold],
  from_address: toronto,
  ship_date: "2026-10-06",
};

function envelope(name: string, content: string): string {
  return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${name}>${content}</${name}></s:Body></s:Envelope>`;
}

/** Purolator, played by a few answers. */
async function playing(answer: (path: string, response: ServerResponse) => void) {
  const party = await aBrokenParty((request, response) => answer(request.url ?? "", response));
  onTestFinished(() => party.close());
  return at(party.url);
}
