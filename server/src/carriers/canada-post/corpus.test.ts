import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { CarrierError, type LabelRequest, type QuoteRequest } from "../carrier.ts";
import { context, toronto } from "../contract-samples-world.ts";
import { answerOf, corpus, isLiteral, outcomeOf, recordingsOf } from "../corpus/corpus-world.ts";
import { shipmentFromUnified } from "../corpus/unified-world.ts";
import { xmlSchemaAt, type XmlSchema } from "../corpus/xml-schema-world.ts";
import { badAnswer } from "../protocol/classify.ts";
import { readXml, within } from "../protocol/xml.ts";
import { aConnection } from "./canada-post-world.ts";
import { contractOf } from "./credentials.ts";
import { errorTable, messagesIn, noPinHistoryCode, successOf } from "./errors.ts";
import { fromManifest, fromManifests, toTransmitSet } from "./manifests.ts";
import {
  fromPickupAvailability,
  fromPickupInfo,
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
  "pickup-availability": (answer, name) => fromPickupAvailability(successOf(answer, name)),
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
  "tracking-summary": "The details of a number say more, and cost the same.",
  "signature-image": "Who signed is in the details; the picture is not asked for.",
  "non-contract-shipment": "It is a request among the answers.",
};

/** What an answer is by its form, whatever call it was recorded of. */
function parse(answer: HttpAnswer): unknown {
  const name = Object.keys(documents).find((each) => hasElement(answer, each));
  if (name !== undefined) return documents[name]!(answer, name);
  if (messagesIn(answer).some(({ code }) => code === noPinHistoryCode)) return null;
  return successOf(answer, "price-quotes");
}

function hasElement(answer: HttpAnswer, name: string): boolean {
  try {
    return within(readXml(answer.bytes), name) !== undefined;
  } catch {
    return false;
  }
}

const answers = recordingsOf("canadapost").filter(({ kind }) => kind === "response");
const called = answers.filter(({ operation }) => !(operation in notCalled));

describe.skipIf(corpus === null)("Canada Post's recorded answers", () => {
  test.each(called.map((recording) => [recording.path, recording] as const))(
    "%s is literals or a refusal",
    (_path, recording) => {
      const other = Object.keys(otherDocuments).find((name) =>
        hasElement(answerOf(recording), name),
      );
      const outcome = outcomeOf(parse, answerOf(recording));
      if ("literals" in outcome) expect(isLiteral(outcome.literals)).toBe(true);
      else if (other === undefined) expect(outcome.failure.kind).toBe("refused");
      else expect(outcome.failure).toMatchObject(badAnswer(errorTable));
    },
  );

  test("operations that are not called are known, and why", () => {
    const operations = new Set(answers.map(({ operation }) => operation));
    const list = [...operations].filter((operation) => operation in notCalled);
    console.info(
      `Canada Post, not called: ${list.map((each) => `${each} (${notCalled[each]})`).join(" ")}`,
    );
    expect(list.every((operation) => notCalled[operation])).toBe(true);
  });
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
    ...answers.map(({ bytes }) => bytes.toString()),
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
