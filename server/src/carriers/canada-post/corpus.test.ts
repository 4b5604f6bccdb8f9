import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { CarrierError, type LabelRequest, type QuoteRequest } from "../carrier.ts";
import { context, toronto } from "../contract-samples-world.ts";
import { answerOf, corpus, isLiteral, outcomeOf, recordingsOf } from "../corpus/corpus-world.ts";
import { isAnswer, recordedAnswer } from "../corpus/exchange-world.ts";
import { judge, type Judge } from "../corpus/judge-world.ts";
import { differencesOf, pairsOf } from "../corpus/oracle-world.ts";
import { shipmentFromUnified } from "../corpus/unified-world.ts";
import { xmlSchemaAt, type XmlSchema } from "../corpus/xml-schema-world.ts";
import { all, readXml, within, XmlError, type XmlElement } from "../protocol/xml.ts";
import { aConnection } from "./canada-post-world.ts";
import { contractOf, type Contract } from "./credentials.ts";
import { errorTable, messagesIn, noPinHistoryCode, successOf } from "./errors.ts";
import { fromManifest, fromManifests, toTransmitSet } from "./manifests.ts";
import {
  fromPickupAvailability,
  fromPickupInfo,
  fromPickupPrice,
  fromPickupRequests,
  toPickupPriceRequest,
  toPickupRequest,
} from "./pickups.ts";
import { fromPostOffices } from "./post-offices.ts";
import { fromPriceQuotes, toMailingScenario } from "./rates.ts";
import { fromAuthorizedReturn, toAuthorizedReturn } from "./returns.ts";
import { services } from "./services.ts";
import {
  fromReceipt,
  fromShipmentDetails,
  fromShipmentInfo,
  fromShipments,
  toNonContractShipment,
  toRefundRequest,
  toShipment,
} from "./shipments.ts";
import { fromTrackingDetail } from "./tracking.ts";
import { bareShipments, book } from "./unified-world.ts";

/** The parser of each document, as the adapter calls it. */
const documents: Readonly<Record<string, (answer: HttpAnswer, name: string) => unknown>> = {
  "price-quotes": (answer, name) => fromPriceQuotes(successOf(answer, name)),
  "shipment-info": (answer, name) => fromShipmentInfo(successOf(answer, name)),
  "non-contract-shipment-info": (answer, name) => fromShipmentInfo(successOf(answer, name)),
  shipments: (answer, name) => fromShipments(successOf(answer, name)),
  "non-contract-shipments": (answer, name) => fromShipments(successOf(answer, name)),
  "shipment-details": (answer, name) => fromShipmentDetails(successOf(answer, name)),
  "non-contract-shipment-details": (answer, name) => fromShipmentDetails(successOf(answer, name)),
  "shipment-receipt": (answer, name) => fromReceipt(successOf(answer, name)),
  "non-contract-shipment-receipt": (answer, name) => fromReceipt(successOf(answer, name)),
  "shipment-refund-request-info": (answer, name) => successOf(answer, name).name,
  "non-contract-shipment-refund-request-info": (answer, name) => successOf(answer, name).name,
  "authorized-return-info": (answer, name) => fromAuthorizedReturn(successOf(answer, name)),
  manifests: (answer, name) => fromManifests(successOf(answer, name)),
  manifest: (answer, name) => fromManifest(successOf(answer, name)),
  "pickup-request-info": (answer, name) => fromPickupInfo(successOf(answer, name)),
  "pickup-request-detailed-info": (answer, name) => fromPickupInfo(successOf(answer, name)),
  "pickup-requests": (answer, name) => fromPickupRequests(successOf(answer, name)),
  "pickup-request-price": (answer, name) => fromPickupPrice(successOf(answer, name)),
  "pickup-availability": (answer, name) => fromPickupAvailability(successOf(answer, name)),
  customer: (answer, name) => all(successOf(answer, name), "contracts/contract-id").length,
  "tracking-detail": (answer, name) => fromTrackingDetail(successOf(answer, name)),
  "post-office-list": (answer, name) => fromPostOffices(successOf(answer, name)),
};

/** Operations that no adapter has, and why. */
const notCalled: Readonly<Record<string, string>> = {
  registration: "A connection's numbers are entered, not asked for by a platform's token.",
  discovery: "The services are in services.ts: clients store their codes.",
};

/** Answers whose operation is called and that are another call's, and why it is not made. */
const otherDocuments: Readonly<Record<string, string>> = {
  "open-return-info": "A return has a label of its own, not one of a stock.",
  "open-return-details": "A return has a label of its own, not one of a stock.",
  "tracking-summary": "The details of a number say more, and cost the same.",
  "delivery-confirmation-certificate": "The details of a number say that it was delivered.",
  "signature-image": "Who signed is in the details; the picture is not asked for.",
  "non-contract-shipment": "It is a request among the answers.",
  "post-office-detail": "The list of post offices has their addresses.",
  groups: "Waybill keeps the names of its groups itself.",
  "shipment-price": "The purchase answers its price.",
};

const byForm: Judge = {
  table: errorTable,
  calling({ operation }, answer) {
    const root = rootOf(answer);
    if (operation in notCalled) return { not_called: notCalled[operation]! };
    if (root?.name && root.name in otherDocuments)
      return { not_called: otherDocuments[root.name]! };
    const isMessages = root !== null && within(root, "messages") !== undefined;
    return isMessages || documentIn(answer) !== undefined ? { read: parse } : null;
  },
  reading: () => parse,
  isEmpty: (answer) => rootOf(answer)?.name === "messages" && messagesIn(answer).length === 0,
};

/** What an answer is by its form, whatever call it was recorded of. */
function parse(answer: HttpAnswer): unknown {
  const name = documentIn(answer);
  if (name !== undefined) return documents[name]!(answer, name);
  if (messagesIn(answer).some(({ code }) => code === noPinHistoryCode)) return null;
  return successOf(answer, "price-quotes");
}

/** The document that it is, or that is within it. */
function documentIn(answer: HttpAnswer): string | undefined {
  const root = rootOf(answer);
  if (root === null) return undefined;
  if (root.name in documents) return root.name;
  return Object.keys(documents).find((name) => within(root, name) !== undefined);
}

function rootOf({ bytes }: HttpAnswer): XmlElement | null {
  try {
    return readXml(bytes);
  } catch (error) {
    if (error instanceof XmlError) return null;
    throw error;
  }
}

const answers = recordingsOf("canadapost").filter(isAnswer);

describe.skipIf(answers.length === 0)("Canada Post's recorded answers", () => {
  test.each(answers.map((recording) => [recording.path, recording] as const))(
    "%s is literals or a refusal, or is listed",
    (path, recording) => {
      const { wrong, listed } = judge(byForm, recording);
      if (listed) console.info(`Canada Post, not called: ${path}: ${listed}`);
      expect(wrong).toBeNull();
    },
  );
});

const pairs = pairsOf(recordingsOf("canadapost"));

describe.skipIf(pairs.length === 0)("What another project read of Canada Post's answers", () => {
  test.each(pairs.map((pair) => [pair.path, pair] as const))(
    "%s has the same numbers, prices and events",
    (_path, pair) => expect(differencesOf(byForm, pair)).toEqual([]),
  );
});

describe.skipIf(corpus === null)("Canada Post's schemas", () => {
  const contract = contractOf(aConnection());
  const none = contractOf(aConnection({ contract_id: "" }));
  const at = (name: string) => schemaOf(name);
  const shipments = [
    ...bareShipments,
    ...recordingsOf("canadapost").flatMap((each) => shipmentFromUnified(each, [book]) ?? []),
  ];

  test.each(shipments.map((shipment, index) => [index, shipment] as const))(
    "every request about shipment %i is valid",
    (_index, shipment) => {
      const { from_address, to_address } = shipment;
      const isHome = to_address.country_code === "CA";
      const reach = isHome ? "CA" : to_address.country_code === "US" ? "US" : "world";
      const going = services.filter(({ destinations }) =>
        destinations === "world" ? reach === "world" : destinations.includes(reach),
      );
      const refusal = refusalOf(shipment, contract);
      if (refusal !== null) {
        console.info(`Canada Post, refused by us: ${shipment.from_address.city}: ${refusal}`);
        expect(isRefusable(shipment)).toBe(true);
        return;
      }
      for (const add_ons of [[], ["signature"], ["adult_signature", "protection"]] as const) {
        const scenario = toMailingScenario(shipment, { services: going, add_ons, contract });
        expect(at("rating").findings(scenario)).toEqual([]);
        const request = aRequest(shipment, going[0]!, add_ons);
        expect(at("shipment").findings(toShipment(request, contract))).toEqual([]);
        expect(at("ncshipment").findings(toNonContractShipment(request, none))).toEqual([]);
        if (isHome) {
          expect(at("authreturn").findings(toAuthorizedReturn(request, contract))).toEqual([]);
        }
      }
      const handover = { group_ids: ["g1"], excluded_shipment_ids: ["5450"], from: from_address };
      expect(at("manifest").findings(toTransmitSet(handover, contract))).toEqual([]);
    },
  );

  test("refunds and pickups are valid", () => {
    expect(at("shipment").findings(toRefundRequest("a@example.com", true))).toEqual([]);
    expect(at("ncshipment").findings(toRefundRequest("a@example.com", false))).toEqual([]);
    const pickup = toPickupRequest(
      {
        context,
        reference: `att_${"0".repeat(26)}`,
        references: { account_id: "acc_1", pickup_id: "pku_1", idempotency_key: null },
        address: toronto,
        contact: { name: "Ada", phone: null, email: null },
        date: "2026-10-06",
        ready_time: "09:10",
        close_time: "17:05",
        instructions: "Ring twice. ".repeat(20),
        tracking_codes: ["1"],
        package_count: 3,
        weight_grams: 2_000,
        expected_fee: { amount_cents: 350, currency: "CAD" },
      },
      contract,
    );
    expect(at("pickuprequest").findings(pickup)).toEqual([]);
    const stop = { date: "2026-10-06", province: "ON", postal_code: "M5V3L9" };
    expect(at("pickuprequest").findings(toPickupPriceRequest(stop, contract))).toEqual([]);
  });
});

test("any answer is literals or a CarrierError, however it is damaged", () => {
  const seeds = [
    "<price-quotes><price-quote><service-code>DOM.EP</service-code><price-details><base>9.59</base><adjustments><adjustment><adjustment-code>A</adjustment-code><adjustment-cost>-0.29</adjustment-cost></adjustment></adjustments></price-details></price-quote></price-quotes>",
    "<shipment-info><shipment-id>1</shipment-id><shipment-price><pre-tax-amount>1</pre-tax-amount></shipment-price><links><link rel='label' href='https://x/y' media-type='a'/></links></shipment-info>",
    "<tracking-detail><pin>1</pin><significant-events><occurrence><event-identifier>20</event-identifier><event-date>2011-02-03</event-date><event-time>11:59:59</event-time><event-time-zone>EST</event-time-zone><event-site>A</event-site><event-province>QC</event-province></occurrence></significant-events></tracking-detail>",
    "<messages><message><code>004</code><description>No</description></message></messages>",
    ...answers.map((each) => recordedAnswer(each).bytes.toString()),
  ];
  const damage = fc.record({
    seed: fc.constantFrom(...seeds),
    at: fc.nat(5_000),
    cut: fc.nat(40),
    put: fc.constantFrom("", "<", ">", "&", "\0", "9".repeat(30), "1e9", "-", "<a>", "</a>", "é"),
    status: fc.constantFrom(200, 202, 204, 400, 404, 409, 500),
  });
  fc.assert(
    fc.property(damage, ({ seed, at: place, cut, put, status }) => {
      const start = place % (seed.length + 1);
      const text = seed.slice(0, start) + put + seed.slice(start + cut);
      const outcome = outcomeOf(parse, answerOf({ bytes: Buffer.from(text) }, status));
      if ("literals" in outcome) expect(isLiteral(outcome.literals)).toBe(true);
      else expect(outcome.failure).toBeInstanceOf(CarrierError);
    }),
    { numRuns: 500 },
  );
});

/** Why no request is made of a shipment, as the adapter says it before it sends one. Anything else thrown is a bug. */
function refusalOf(shipment: QuoteRequest["shipment"], contract: Contract): string | null {
  if (shipment.from_address.country_code !== "CA") return "It does not start in Canada.";
  try {
    toShipment(aRequest(shipment, services[0]!, []), contract);
    return null;
  } catch (error) {
    if (error instanceof CarrierError && error.kind === "refused") return error.message;
    throw error;
  }
}

/** What Canada Post's schemas have no room for: another origin, or an address of more than two lines. */
function isRefusable({ from_address, to_address }: QuoteRequest["shipment"]): boolean {
  const isLong = [from_address, to_address].some(
    ({ address1, address2 }) => `${address1} ${address2 ?? ""}`.length > 44,
  );
  return from_address.country_code !== "CA" || isLong;
}

const schemas = new Map<string, XmlSchema>();

function schemaOf(name: string): XmlSchema {
  const path = join(corpus!, "specs", "canadapost", `${name}.xsd`);
  const schema = schemas.get(name) ?? xmlSchemaAt(path);
  schemas.set(name, schema);
  return schema;
}

function aRequest(
  shipment: QuoteRequest["shipment"],
  service: LabelRequest["service"],
  add_ons: LabelRequest["add_ons"],
): LabelRequest {
  return {
    context,
    reference: `att_${"0".repeat(26)}`,
    references: {
      account_id: `acc_${"0".repeat(26)}`,
      shipment_id: `shp_${"0".repeat(26)}`,
      shipment_digest: "digest",
      idempotency_key: null,
    },
    shipment,
    ship_code: "AB12CD",
    service,
    add_ons,
    label_format: "pdf",
    label_size: "4x6",
    expected_cost: { amount_cents: 1_000, currency: "CAD" },
  };
}
