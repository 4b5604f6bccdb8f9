import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Item } from "../../domain/goods/parcel.ts";
import type { AddOnCode, LabelRequest, ShipmentForCarrier } from "../carrier.ts";
import {
  aShipment,
  context,
  newYork,
  seattle,
  toronto,
  vancouver,
} from "../contract-samples-world.ts";
import { corpus, recordingsOf } from "../corpus/corpus-world.ts";
import { isAnswer, recordedAnswer, recordedUrl } from "../corpus/exchange-world.ts";
import { judge, type Judge } from "../corpus/judge-world.ts";
import { differencesOf, pairsOf } from "../corpus/oracle-world.ts";
import { openApiAt, type OpenApi } from "../corpus/json-schema-world.ts";
import { shipmentFromUnified } from "../corpus/unified-world.ts";
import { readJson, valueIn } from "../protocol/json.ts";
import { toAddressRequest } from "./addresses.ts";
import { parsers } from "./answers-world.ts";
import { readToken } from "./client.ts";
import { errorTable, successOf } from "./errors.ts";
import { upsErrata } from "./errata-world.ts";
import { toRecoveryRequest, toShipmentRequest } from "./labels.ts";
import { toLocatorRequest } from "./locations.ts";
import { toPickupRequest } from "./pickups.ts";
import { toRateRequest } from "./rates.ts";
import { services } from "./services.ts";

/** Answers to calls that no adapter makes, by the same name or by the operation, and why not. */
const notCalled: Readonly<Record<string, string>> = {
  emsResponse: "Times in transit come with the prices.",
  validationList: "Times in transit come with the prices.",
  FormsHistoryDocumentIDResponse: "UPS draws the invoice from the request of the shipment.",
  UploadResponse: "UPS draws the invoice from the request of the shipment.",
  PickupTriggerGWNResponse: "A pickup that UPS decides on is part of a daily contract.",
  PickupRateResponse: "The request of a pickup answers its price.",
  PickupGetServiceCenterFacilitiesResponse: "Service centres are of freight.",
  PickupGetPoliticalDivision1ListResponse: "Waybill has the provinces.",
  document: "UPS draws the invoice from the request of the shipment.",
  duties: "Waybill asks no carrier for duties.",
  pickup_misc: "Service centres are of freight.",
  pickup_rate: "The request of a pickup answers its price.",
};

/** Calls that no adapter makes, by a part of the address, and why not. */
const otherUrls: readonly (readonly [part: string, reason: string])[] = [
  ["/transittimes", "Times in transit come with the prices."],
  ["/paperlessdocuments", "UPS draws the invoice from the request of the shipment."],
  ["/landedcost", "Waybill asks no carrier for duties."],
  ["/servicecenterlocations", "Service centres are of freight."],
];

/** The parser of each operation, for answers that do not name theirs: errors, and empty ones. */
const operations: Readonly<Record<string, string>> = {
  auth: "access_token",
  rate: "RateResponse",
  ship: "ShipmentResponse",
  return: "ShipmentResponse",
  label_recovery: "LabelRecoveryResponse",
  void: "VoidShipmentResponse",
  pickup: "PickupCreationResponse",
  pickup_cancel: "PickupCancelResponse",
  address: "XAVResponse",
  locations: "LocatorResponse",
  track: "trackResponse",
};

const byName: Judge = {
  table: errorTable,
  calling(recording, answer) {
    const body = readJson(answer);
    const has = (name: string) => valueIn(body, name) !== undefined;
    const url = recordedUrl(recording) ?? "";
    const reason =
      otherUrls.find(([part]) => url.includes(part))?.[1] ??
      notCalled[recording.operation] ??
      notCalled[Object.keys(notCalled).find(has) ?? ""];
    if (reason) return { not_called: reason };
    const name = Object.keys(parsers).find(has);
    if (name !== undefined) return { read: parsers[name]! };
    const isEmpty = answer.bytes.length === 0;
    return isEmpty || errorTable.read(answer) ? { read: byName.reading(recording) } : null;
  },
  reading(recording) {
    if (recordedUrl(recording)?.includes("/oauth/")) return readToken;
    const name = operations[recording.operation];
    return name ? parsers[name]! : (answer) => successOf(answer, recording.operation);
  },
};

/** A recording of several answers is as many. */
const answers = recordingsOf("ups")
  .filter(isAnswer)
  .flatMap((recording) => {
    const body = recording.kind === "response" ? readJson(recordedAnswer(recording)) : null;
    if (!Array.isArray(body)) return [recording];
    return body.map((each, index) => ({
      ...recording,
      path: `${recording.path}#${index}`,
      bytes: Buffer.from(JSON.stringify(each)),
    }));
  });

describe.skipIf(answers.length === 0)("UPS's recorded answers", () => {
  test.each(answers.map((recording) => [recording.path, recording] as const))(
    "%s is literals or a refusal, or is listed",
    (path, recording) => {
      const { wrong, listed } = judge(byName, recording);
      if (listed) console.info(`UPS, not called: ${path}: ${listed}`);
      expect(wrong).toBeNull();
    },
  );
});

/** Recorded answers that the adapter reads otherwise than another project, and why it is right. */
const readOtherwise: Readonly<Record<string, string>> = {
  "response.k-RateResponseJSON.json":
    "Its taxes are listed twice and do not add up: the price is the one that it states before taxes.",
  "response.k-TrackingResponseJSON.json": "An event has the code of its status, not its short one.",
};

const pairs = pairsOf(recordingsOf("ups"));

describe.skipIf(pairs.length === 0)("What another project read of UPS's answers", () => {
  test.each(pairs.map((pair) => [pair.path, pair] as const))(
    "%s has the same numbers, prices and events",
    (path, pair) => {
      const differences = differencesOf(byName, pair);
      const reason = readOtherwise[path.slice(path.lastIndexOf("/") + 1)];
      if (reason)
        console.info(`UPS, read otherwise: ${path}: ${differences.join(", ")}. ${reason}`);
      else expect(differences).toEqual([]);
    },
  );
});

const account = { number: "A1B2C3", country: "CA", asks_negotiated: true };

const goods: Item = {
  sku: "BOOK-1",
  title: "Books, hardcover, with a title that is longer than the lines that customs prints of it",
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

const berlin = {
  ...newYork,
  address1: "Unter den Linden 77",
  city: "Berlin",
  province_code: null,
  postal_code: "10117",
  country_code: "DE",
};

const crowded = {
  ...vancouver,
  name: 'Ada & Byron <Sons> "Ltd"',
  company: "C".repeat(40),
  address1: "1234567 Boulevard de la Grande Allée Est Nord, étage 3",
  address2: "Suite 1200, c/o Ada Byron, \b behind the yard",
  phone: "1 (604) 555-0100",
};

const home = aShipment(toronto, vancouver);
const unsized = { length: null, width: null, height: null, size_unit: null };

/** At home, across each border, back, and at the limits of what fits. */
const cases: ShipmentForCarrier[] = [
  home,
  aShipment(newYork, seattle),
  { ...aShipment(toronto, newYork), items: [goods] },
  { ...aShipment(newYork, toronto), items: [goods], incoterm: "DDP" },
  { ...aShipment(toronto, berlin), items: [goods, goods], contents_type: "gift" },
  { ...aShipment(vancouver, toronto), is_return: true },
  { ...aShipment(newYork, toronto), is_return: true, items: [goods] },
  aShipment(toronto, crowded),
  { ...home, packages: [{ ...home.packages[0]!, ...unsized, package_type: "envelope" }] },
  { ...home, reference: "R".repeat(50), packages: Array(50).fill(home.packages[0]!) },
  { ...home, packages: [{ ...home.packages[0]!, weight: 1, weight_unit: "g", length: 0.01 }] },
];

function aRequest(
  shipment: ShipmentForCarrier,
  label_format: LabelRequest["label_format"],
  add_ons: readonly AddOnCode[],
): LabelRequest {
  return {
    context,
    reference: `att_${"0".repeat(26)}`,
    references: {
      account_id: "acc_1",
      shipment_id: "shp_1",
      shipment_digest: "digest",
      idempotency_key: null,
    },
    shipment,
    ship_code: "AB12CD",
    service: services[0]!,
    add_ons,
    label_format,
    label_size: "4x6",
    expected_cost: { amount_cents: 1_000, currency: "CAD" },
  };
}

const documents = new Map<string, OpenApi>();

/** UPS's own document of an API. */
function document(name: string): OpenApi {
  const present = documents.get(name);
  if (present) return present;
  const path = join(corpus!, "specs", "ups_official", `${name}.yaml`);
  const read = openApiAt(path, upsErrata);
  documents.set(name, read);
  return read;
}

describe.skipIf(corpus === null)("UPS's documents", () => {
  const unified = recordingsOf("ups").flatMap((each) => shipmentFromUnified(each, [goods]) ?? []);
  const post = "POST";

  test.each([...cases, ...unified].map((shipment, index) => [index, shipment] as const))(
    "every request about shipment %i is valid",
    (_index, shipment) => {
      const sets = [[], ["signature"], ["adult_signature", "protection", "saturday_delivery"]];
      for (const add_ons of sets as AddOnCode[][]) {
        const rate = toRateRequest(shipment, { account, add_ons });
        const rating = { method: post, path: "/rating/{version}/{requestoption}" };
        expect(document("Rating").findings(rating, rate)).toEqual([]);
        for (const format of ["pdf", "zpl", "png"] as const) {
          const ship = toShipmentRequest(aRequest(shipment, format, add_ons), account);
          const shipping = { method: post, path: "/shipments/{version}/ship" };
          expect(document("Shipping").findings(shipping, ship)).toEqual([]);
        }
      }
      const { to_address } = shipment;
      const check = { method: post, path: "/addressvalidation/{version}/{requestoption}" };
      const address = toAddressRequest(to_address);
      expect(document("AddressValidation").findings(check, address)).toEqual([]);
      const near = { method: post, path: "/locations/{version}/search/availabilities/{reqOption}" };
      expect(document("Locator").findings(near, toLocatorRequest(to_address, 10))).toEqual([]);
    },
  );

  test("recoveries and pickups are valid", () => {
    const recovery = { method: post, path: "/labels/{version}/recovery" };
    for (const format of ["pdf", "zpl", "png"] as const) {
      const body = toRecoveryRequest("1Z12345E0205271688", format);
      expect(document("Shipping").findings(recovery, body)).toEqual([]);
    }
    for (const address of [toronto, newYork, crowded]) {
      const body = toPickupRequest(
        {
          context,
          reference: `att_${"0".repeat(26)}`,
          references: { account_id: "acc_1", pickup_id: "pku_1", idempotency_key: null },
          address,
          contact: { name: "Ada", phone: null, email: null },
          date: "2026-10-06",
          ready_time: "09:10",
          close_time: "17:05",
          instructions: "Ring twice. ".repeat(20),
          tracking_codes: ["1"],
          package_count: 3,
          weight_grams: 2_000,
          expected_fee: { amount_cents: 750, currency: "CAD" },
        },
        account,
      );
      const pickup = { method: post, path: "/pickupcreation/{version}/pickup" };
      expect(document("Pickup").findings(pickup, body)).toEqual([]);
    }
  });
});
