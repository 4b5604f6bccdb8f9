import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Item } from "../../domain/goods/parcel.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { CarrierError, type LabelRequest, type ShipmentForCarrier } from "../carrier.ts";
import { aShipment, context, newYork, toronto, vancouver } from "../contract-samples-world.ts";
import { answerOf, corpus, isLiteral, outcomeOf, recordingsOf } from "../corpus/corpus-world.ts";
import { isAnswer, recordedAnswer } from "../corpus/exchange-world.ts";
import { judge, type Judge } from "../corpus/judge-world.ts";
import { differencesOf, pairsOf } from "../corpus/oracle-world.ts";
import { shipmentFromUnified } from "../corpus/unified-world.ts";
import { xmlSchema, type XmlSchema } from "../corpus/xml-schema-world.ts";
import { first, isTrueAt, readXml, xml, XmlError, type XmlElement } from "../protocol/xml.ts";
import { accountOf } from "./credentials.ts";
import {
  fromDocuments,
  fromManifests,
  toDocumentsRequest,
  toManifestRequest,
} from "./documents.ts";
import { errorTable, successOf } from "./errors.ts";
import { fromHistory, fromSchedulePickup, toHistoryRequest, toPickupRequest } from "./pickups.ts";
import { fromCityCheck, fromLocator, toCityCheck, toLocatorRequest } from "./locations.ts";
import { aConnection } from "./purolator-world.ts";
import { fromEstimates, toEstimateRequest } from "./rates.ts";
import { services } from "./services.ts";
import {
  fromCreateShipment,
  pinOf,
  toCreateShipmentRequest,
  toReturnRequest,
} from "./shipments.ts";
import { envelope, type Service } from "./soap.ts";
import { fromTracking, pinsIn, toReferenceSearch, toTrackRequest } from "./tracking.ts";

/** The parser of each result, as the adapter calls it. */
const results: Readonly<Record<string, (result: XmlElement) => unknown>> = {
  GetFullEstimateResponse: fromEstimates,
  CreateShipmentResponse: fromCreateShipment,
  CreateReturnsManagementShipmentResponse: fromCreateShipment,
  VoidShipmentResponse: (result) => isTrueAt(result, "ShipmentVoided"),
  ConsolidateResponse: (result) => isTrueAt(result, "Consolidate"),
  GetDocumentsResponse: fromDocuments,
  GetShipmentManifestDocumentResponse: fromManifests,
  TrackPackagesByPinResponse: (result) => [pinsIn(result), fromTracking(result, "M123")],
  TrackPackagesByReferenceResponse: pinsIn,
  SchedulePickUpResponse: fromSchedulePickup,
  VoidPickUpResponse: (result) => isTrueAt(result, "PickUpVoided"),
  GetPickUpHistoryResponse: (result) => fromHistory(result, "att_1"),
  ValidateCityPostalCodeZipResponse: (result) => fromCityCheck(result, toronto),
  GetLocationsResponse: fromLocator,
};

/** Operations that no adapter has, and why. */
const notCalled: Readonly<Record<string, string>> = {
  ship_validate: "A purchase is validated by its own call.",
  return_validate: "A return is validated by its own call.",
  pickup_validate: "A pickup is validated by its own call.",
  pickup_update: "A pickup is cancelled and requested again.",
  service_rules: "The services are in services.ts: clients store their codes.",
  service_options: "The services are in services.ts: clients store their codes.",
  track_pod: "Who signed is in the scans.",
};

/** Results of calls that no adapter makes, and why not. */
const otherResults: Readonly<Record<string, string>> = {
  GetQuickEstimateResponse: "The full estimate has the parcel's own weight and size.",
  ValidateShipmentResponse: "A purchase is validated by its own call.",
  ValidatePickUpResponse: "A pickup is validated by its own call.",
  ModifyPickUpResponse: "A pickup is cancelled and requested again.",
  GetServicesOptionsResponse: "The services are in services.ts: clients store their codes.",
  GetServiceRulesResponse: "The services are in services.ts: clients store their codes.",
  GetDeliveryDetailsResponse: "Who signed is in the scans.",
};

const byResult: Judge = {
  table: errorTable,
  calling({ operation, kind, path }, answer) {
    if (operation in notCalled) return { not_called: notCalled[operation]! };
    if (kind === "response" && path.endsWith(".json"))
      return {
        not_called: "It is another project's form of an answer, and no message of Purolator's.",
      };
    const name = resultIn(answer);
    if (name !== null && name in otherResults) return { not_called: otherResults[name]! };
    const isOurs = name !== null && name in results;
    return isOurs || errorTable.read(answer) ? { read: parse } : null;
  },
  reading: () => parse,
};

function parse(answer: HttpAnswer): unknown {
  const name = resultIn(answer) ?? "";
  const known = name in results ? name : "GetFullEstimateResponse";
  return results[known]!(successOf(answer, known));
}

/** The name of the message in the envelope; null where there is none. */
function resultIn({ bytes }: HttpAnswer): string | null {
  try {
    return first(readXml(bytes), "Body")?.children[0]?.name ?? null;
  } catch (error) {
    if (error instanceof XmlError) return null;
    throw error;
  }
}

const answers = recordingsOf("purolator").filter(isAnswer);

describe.skipIf(answers.length === 0)("Purolator's recorded answers", () => {
  test.each(answers.map((recording) => [recording.path, recording] as const))(
    "%s is literals or a refusal, or is listed",
    (path, recording) => {
      const { wrong, listed } = judge(byResult, recording);
      if (listed) console.info(`Purolator, not called: ${path}: ${listed}`);
      expect(wrong).toBeNull();
    },
  );

  test("what they say was voided or consolidated was done", () => {
    const done = answers.flatMap((recording) => {
      const answer = recordedAnswer(recording);
      const name = resultIn(answer) ?? "";
      if (!/^(VoidShipment|VoidPickUp|Consolidate)Response$/.test(name)) return [];
      const outcome = outcomeOf(parse, answer);
      return "literals" in outcome ? [outcome.literals] : [];
    });
    expect(done.every(Boolean)).toBe(true);
  });
});

const pairs = pairsOf(recordingsOf("purolator"));

describe.skipIf(pairs.length === 0)("What another project read of Purolator's answers", () => {
  test.each(pairs.map((pair) => [pair.path, pair] as const))(
    "%s has the same numbers, prices and events",
    (_path, pair) => expect(differencesOf(byResult, pair)).toEqual([]),
  );
});

const book: Item = {
  sku: "BOOK-1",
  title: "Books, hardcover",
  description: null,
  customs_description: null,
  quantity: 3,
  value: 12.5,
  currency: "CAD",
  weight: 0.6,
  weight_unit: "kg",
  country_of_origin: "CA",
  hs_code: "4901990000",
  manufacturer: null,
};
const home = aShipment(toronto, vancouver);
const three = Array.from({ length: 3 }, () => home.packages[0]!);
const shipments: ShipmentForCarrier[] = [
  home,
  { ...home, packages: three, reference: "R".repeat(50) },
  {
    ...home,
    packages: [
      {
        ...home.packages[0]!,
        weight: 1,
        weight_unit: "g",
        length: null,
        width: null,
        height: null,
        size_unit: null,
      },
    ],
  },
  { ...aShipment(toronto, newYork), items: [book], incoterm: "DDP" },
  {
    ...aShipment(toronto, { ...newYork, address2: 'Suite "5" & <6>' }),
    items: [book],
    contents_type: "documents",
  },
  ...recordingsOf("purolator")
    .flatMap((each) => shipmentFromUnified(each, [book]) ?? [])
    // One without a street number is refused by us, and no request is made of it.
    .filter(({ from_address, to_address }) =>
      [from_address, to_address].every(({ address1 }) => /^\d/.test(address1)),
    ),
];

describe.skipIf(corpus === null)("Purolator's schemas", () => {
  const account = accountOf(aConnection());

  test.each(shipments.map((shipment, index) => [index, shipment] as const))(
    "every request about shipment %i is valid",
    (_index, shipment) => {
      for (const add_ons of [
        [],
        ["signature"],
        ["adult_signature", "protection", "saturday_delivery"],
      ] as const) {
        const asked = { service: "PurolatorGround", add_ons, account, all_services: true };
        expect(
          findings("estimating", "GetFullEstimate", toEstimateRequest(shipment, asked)),
        ).toEqual([]);
        const request = aRequest(shipment, add_ons);
        expect(
          findings("shipping", "CreateShipment", toCreateShipmentRequest(request, account)),
        ).toEqual([]);
        expect(
          findings("returns", "CreateReturnsManagementShipment", toReturnRequest(request, account)),
        ).toEqual([]);
      }
    },
  );

  test("every other request is valid", () => {
    const pickup = {
      context,
      reference: `att_${"0".repeat(26)}`,
      references: { account_id: "acc_1", pickup_id: "pku_1", idempotency_key: null },
      address: toronto,
      contact: { name: "Ada", phone: null, email: "ada@example.com" },
      date: "2026-10-06",
      ready_time: "09:10",
      close_time: "17:05",
      instructions: "Ring twice. ".repeat(20),
      tracking_codes: ["1"],
      package_count: 3,
      weight_grams: 2_000,
      expected_fee: { amount_cents: 0, currency: "CAD" },
    };
    const search = {
      reference: "att_1",
      postal_code: "V6G3E2",
      country: "CA",
      account_number: "1",
      from: "2026-10-05",
      to: "2026-10-06",
    };
    expect([
      ...findings("shipping", "VoidShipment", [pinOf("329014521622")]),
      ...findings("shipping", "Consolidate", []),
      ...findings("documents", "GetDocuments", toDocumentsRequest("329014521622", "zpl")),
      ...findings("documents", "GetShipmentManifestDocument", toManifestRequest("2026-10-06")),
      ...findings(
        "tracking",
        "TrackPackagesByPin",
        toTrackRequest(["329014521622", "329014521630"]),
      ),
      ...findings("tracking", "TrackPackagesByReference", toReferenceSearch(search)),
      ...findings("pickups", "SchedulePickUp", toPickupRequest(pickup, account)),
      ...findings("pickups", "GetPickUpHistory", toHistoryRequest("2026-10-06", account)),
      ...findings("pickups", "VoidPickUp", [xml("PickUpConfirmationNumber", "01365863")]),
      ...findings("availability", "ValidateCityPostalCodeZip", toCityCheck(toronto)),
      ...findings("locator", "GetLocationsByPostalCode", toLocatorRequest(toronto, 5)),
    ]).toEqual([]);
  });
});

test("any answer is literals or a CarrierError, however it is damaged", () => {
  const ok = "<ResponseInformation><Errors/></ResponseInformation>";
  const within = (name: string, content: string) =>
    `<s:Envelope xmlns:s="e"><s:Body><${name}>${ok}${content}</${name}></s:Body></s:Envelope>`;
  const seeds = [
    within(
      "GetFullEstimateResponse",
      "<ShipmentEstimates><ShipmentEstimate><ServiceID>PurolatorGround</ServiceID><BasePrice>29.6</BasePrice><Surcharges><Surcharge><Amount>-1.3</Amount><Type>Fuel</Type></Surcharge></Surcharges></ShipmentEstimate></ShipmentEstimates>",
    ),
    within(
      "CreateShipmentResponse",
      "<ShipmentPIN><Value>1</Value></ShipmentPIN><PiecePINs><PIN><Value>1</Value></PIN></PiecePINs>",
    ),
    within(
      "TrackPackagesByPinResponse",
      "<TrackingInformationList><TrackingInformation><PIN><Value>M123</Value></PIN><Scans><Scan><ScanType>Other</ScanType><Depot><Name>MONTREAL, PQ</Name></Depot><ScanDate>2004-01-13</ScanDate><ScanTime>172300</ScanTime></Scan></Scans></TrackingInformation></TrackingInformationList>",
    ),
    within(
      "GetDocumentsResponse",
      "<Documents><Document><DocumentDetails><DocumentDetail><DocumentType>DomesticBillOfLading</DocumentType><DocumentStatus>Completed</DocumentStatus><Data>JVBE</Data></DocumentDetail></DocumentDetails></Document></Documents>",
    ),
    ...answers.map((each) => recordedAnswer(each).bytes.toString().slice(0, 6_000)),
  ];
  const damage = fc.record({
    seed: fc.constantFrom(...seeds),
    at: fc.nat(6_000),
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

const files: Readonly<Record<Service, string>> = {
  shipping: "ShippingService",
  estimating: "EstimateService",
  availability: "ServiceAvailabilityService",
  returns: "ReturnsManagementService",
  documents: "ShippingDocumentsService",
  pickups: "PickupService",
  locator: "LocatorService",
  tracking: "TrackingService",
};

const schemas = new Map<Service, XmlSchema>();

/** What is wrong with the two documents of an envelope: its context, and the request. */
function findings(
  service: Service,
  operation: string,
  request: Parameters<typeof envelope>[0]["request"],
): string[] {
  const text = envelope({ service, operation, request, user_token: "token" });
  const path = join(corpus!, "specs", "purolator", `${files[service]}.xsd`);
  const schema = schemas.get(service) ?? xmlSchema(repaired(readFileSync(path, "utf8")), path);
  schemas.set(service, schema);
  return ["Header", "Body"].flatMap((part) => {
    const content = new RegExp(`<soap:${part}>(.*)</soap:${part}>`, "s").exec(text)![1]!;
    return schema.findings(content).map((finding) => `${operation}: ${finding}`);
  });
}

/** The published schemas declare some elements twice, and one names another schema without importing it. */
function repaired(schema: string): string {
  const seen = new Set<string>();
  const arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays";
  const imported = schema.includes(arrays)
    ? schema.replace(
        /<(xsd?):schema[^>]*>/,
        `$&<$1:import namespace="${arrays}" schemaLocation="ArrayOfstring.xsd"/>`,
      )
    : schema;
  return imported.replaceAll(
    /^(?: {4}|\t)<xsd?:element name="(\w+)"[^>]*\/>\r?$/gm,
    (whole, name: string) => {
      if (seen.has(name)) return "";
      seen.add(name);
      return whole;
    },
  );
}

function aRequest(shipment: ShipmentForCarrier, add_ons: LabelRequest["add_ons"]): LabelRequest {
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
    service: services[0]!,
    add_ons,
    label_format: "pdf",
    label_size: "4x6",
    expected_cost: { amount_cents: 1_000, currency: "CAD" },
  };
}
