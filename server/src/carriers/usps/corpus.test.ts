import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Item } from "../../domain/goods/parcel.ts";
import type { AddOnCode, LabelRequest, ShipmentForCarrier } from "../carrier.ts";
import {
  aShipment,
  context,
  manifestReferences,
  newYork,
  seattle,
  toronto,
} from "../contract-samples-world.ts";
import { corpus, recordingsOf, type Recording } from "../corpus/corpus-world.ts";
import { isAnswer, recordedUrl } from "../corpus/exchange-world.ts";
import { judge, type Judge } from "../corpus/judge-world.ts";
import { differencesOf, pairsOf } from "../corpus/oracle-world.ts";
import { openApiAt, type OpenApi } from "../corpus/json-schema-world.ts";
import { shipmentFromUnified } from "../corpus/unified-world.ts";
import { readJson, valueIn } from "../protocol/json.ts";
import { partsOf } from "../protocol/multipart.ts";
import { parsers } from "./answers-world.ts";
import { accountOf, toPaymentAuthorization } from "./credentials.ts";
import { errorTable } from "./errors.ts";
import { uspsErrata } from "./errata-world.ts";
import { kindOf, toLabelRequest, toReprintRequest } from "./labels.ts";
import { toScanFormRequest } from "./manifests.ts";
import { toPickupRequest } from "./pickups.ts";
import { toOptionsRequest } from "./rates.ts";
import { services } from "./services.ts";
import { aConnection } from "./usps-world.ts";

const labelNames = [
  "trackingNumber",
  "internationalTrackingNumber",
  "labelMetadata",
  "returnLabelMetadata",
];

/** The parser of each operation, as the adapter calls it, and what all else of its successes is in. */
const operations: Readonly<Record<string, readonly [parser: string, names: readonly string[]]>> = {
  auth: ["token", ["access_token"]],
  payment: ["payment", ["paymentAuthorizationToken"]],
  rate: ["options", ["pricingOptions"]],
  ship: ["label", labelNames],
  return: ["label", labelNames],
  label_recovery: ["reprint", labelNames],
  void: ["cancel", ["trackingNumber", "internationalTrackingNumber", "status"]],
  track: ["tracking", ["trackingEvents", "trackingNumber"]],
  pickup: ["pickup", ["confirmationNumber"]],
  pickup_cancel: ["pickupCancel", []],
  manifest: ["scanForm", ["manifestNumber", "SCANFormMetadata"]],
  address: ["address", ["address"]],
  locations: ["postOffices", ["locations"]],
};

/** What no adapter calls, by operation or by a part of the path, and why. */
const notCalled: readonly (readonly [part: string, reason: string])[] = [
  ["usps/container/", "Waybill hands over no containers."],
  ["usps/indicia/", "An indicium is a stamp for a letter; labels are bought whole."],
  ["usps/ship_edit/", "A label is cancelled and bought anew."],
  ["usps/pickup_update/", "A pickup is cancelled and scheduled anew."],
  ["usps/branding/", "Labels have no picture of the sender's."],
  ["dropoff-location", "What is dropped off in bulk is of mailers with permits."],
  ["payment-account", "A payment that the account does not cover is refused."],
  ["international-prices", "The search of options has the same prices."],
  ["readme-Domestic-Prices", "The search of options has the same prices, with days."],
  ["readme-International-Prices", "The search of options has the same prices."],
  ["readme-Service-Standards", "The search of options has the days."],
  ["usps-domestic-prices", "The search of options has the same prices, with days."],
  ["rate_estimates", "The search of options has the same prices, with days."],
  ["timings", "The search of options has the days."],
  ["city_state", "An address is checked whole."],
  ["City-and-State", "An address is checked whole."],
  ["Tracking---Single-Request---Summary", "The details of a number say more."],
  ["Eligibility", "A pickup that cannot be is refused."],
  ["XMLReturnLabel", "Answers are asked for in parts."],
];

const otherUrls = ["/base-rates", "/city-state", "/estimates", "/total-rates", "/letter-rates"];

function reasonOf(recording: Recording): string | undefined {
  const byPath = notCalled.find(([part]) => recording.path.includes(part))?.[1];
  const url = recordedUrl(recording);
  const isOther = url !== null && otherUrls.some((part) => url.includes(part));
  const isMark = /^\s*\{\s*"ok":\s*true\s*\}\s*$/.test(recording.bytes.toString());
  if (isMark) return "It is another project's own mark, and no answer of USPS's.";
  return byPath ?? (isOther ? `Another call (${url}) has what is needed of it.` : undefined);
}

/** What an answer is by the folder that it is in, and there by its form. */
const byOperation: Judge = {
  table: errorTable,
  calling(recording, answer) {
    const reason = reasonOf(recording);
    if (reason !== undefined) return { not_called: reason };
    const [parser, names] = operations[recording.operation] ?? [];
    const bodies = (partsOf(answer) ?? [answer]).map(({ bytes }) =>
      readJson({ headers: {}, bytes }),
    );
    const isOurs = names?.some((name) => bodies.some((body) => valueIn(body, name) !== undefined));
    const isError = errorTable.read(answer) !== null;
    return parser && (isOurs || isError || answer.bytes.length === 0)
      ? { read: parsers[parser]! }
      : null;
  },
  reading: ({ operation }) => parsers[operations[operation]?.[0] ?? "options"]!,
  // A label that is not printed again is there.
  doubts: ({ operation }) => operation === "label_recovery",
};

const answers = recordingsOf("usps").filter(isAnswer);

describe.skipIf(answers.length === 0)("USPS's recorded answers", () => {
  test.each(answers.map((recording) => [recording.path, recording] as const))(
    "%s is literals or a refusal, or is listed",
    (path, recording) => {
      const { wrong, listed } = judge(byOperation, recording);
      if (listed) console.info(`USPS, not called: ${path}: ${listed}`);
      expect(wrong).toBeNull();
    },
  );
});

const pairs = pairsOf(recordingsOf("usps"));

describe.skipIf(pairs.length === 0)("What another project read of USPS's answers", () => {
  test.each(pairs.map((pair) => [pair.path, pair] as const))(
    "%s has the same numbers, prices and events",
    (_path, pair) => expect(differencesOf(byOperation, pair)).toEqual([]),
  );
});

const account = accountOf(aConnection());

const goods: Item = {
  sku: "BOOK-1",
  title: "Books, hardcover, with a title that is longer than customs has room for",
  description: null,
  customs_description: null,
  quantity: 3,
  value: 12.5,
  currency: "USD",
  weight: null,
  weight_unit: null,
  country_of_origin: "US",
  hs_code: "4901990000",
  manufacturer: null,
};

const crowded = {
  ...seattle,
  name: "Ada",
  company: 'Byron & <Sons> "Ltd" of Seattle',
  address1: "1234567 Boulevard de la Grande Allée Est Nord 12",
  address2: "Suite 1200, c/o Ada Byron, \b behind the yard",
  phone: "1 (206) 555-0100",
  postal_code: "98109-1234",
};

const home = aShipment(newYork, seattle);
const parcel = { ...home.packages[0]!, declared_value: 600, currency: "USD" };
const unsized = { length: null, width: null, height: null, size_unit: null };

const cases: ShipmentForCarrier[] = [
  home,
  { ...home, packages: [parcel] },
  aShipment(newYork, crowded),
  { ...aShipment(newYork, toronto), items: [goods] },
  { ...aShipment(newYork, toronto), items: [goods, goods], contents_type: "other" },
  { ...home, is_return: true },
  { ...home, packages: [{ ...parcel, ...unsized }] },
  { ...home, packages: [{ ...parcel, weight: 1, weight_unit: "g" }], reference: "R".repeat(50) },
];

function aRequest(
  shipment: ShipmentForCarrier,
  label_format: LabelRequest["label_format"],
  add_ons: readonly AddOnCode[],
): LabelRequest {
  const isAbroad = shipment.to_address.country_code !== "US";
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
    service: services[isAbroad ? 4 : 0]!,
    add_ons,
    label_format,
    label_size: "4x6",
    expected_cost: { amount_cents: 1_000, currency: "USD" },
  };
}

const documents = new Map<string, OpenApi>();

/** USPS's own document of an API. */
function document(name: string, folder = "usps"): OpenApi {
  const present = documents.get(name);
  if (present) return present;
  const read = openApiAt(join(corpus!, "specs", folder, `${name}.yaml`), uspsErrata);
  documents.set(name, read);
  return read;
}

const paths = {
  domestic: ["domestic-labels", "usps", "/label"],
  return: ["domestic-labels", "usps", "/return-label"],
  international: ["international-labels", "usps_international", "/international-label"],
} as const;

describe.skipIf(corpus === null)("USPS's documents", () => {
  const unified = recordingsOf("usps")
    .flatMap((each) => shipmentFromUnified(each, [goods]) ?? [])
    .filter(({ from_address }) => from_address.country_code === "US")
    // The search of options has no return from abroad: none is sold.
    .filter(({ is_return, to_address }) => !is_return || to_address.country_code === "US");

  test.each([...cases, ...unified].map((shipment, index) => [index, shipment] as const))(
    "every request about shipment %i is valid",
    (_index, shipment) => {
      for (const add_ons of [
        [],
        ["signature"],
        ["adult_signature", "protection"],
      ] as AddOnCode[][]) {
        const search = toOptionsRequest(shipment, { account, add_ons });
        const options = { method: "POST", path: "/options/search" };
        expect(document("shipping-options").findings(options, search)).toEqual([]);
        for (const format of ["pdf", "zpl", "png"] as const) {
          const request = aRequest(shipment, format, add_ons);
          const kind = kindOf(request.service.carrier_service_code, shipment);
          const [name, folder, path] = paths[kind];
          const found = document(name, folder).findings(
            { method: "POST", path },
            toLabelRequest(request),
          );
          expect(found).toEqual([]);
        }
      }
    },
  );

  test("payments, reprints, pickups and SCAN forms are valid", () => {
    const post = "POST";
    const payment = { method: post, path: "/payment-authorization" };
    expect(document("payments").findings(payment, toPaymentAuthorization(account))).toEqual([]);
    for (const format of ["pdf", "zpl", "png"] as const) {
      const reprint = { method: post, path: "/label-reprint" };
      const body = toReprintRequest(format, "domestic");
      expect(document("domestic-labels").findings(reprint, body)).toEqual([]);
    }
    for (const address of [newYork, crowded]) {
      const pickup = toPickupRequest({
        context,
        reference: `att_${"0".repeat(26)}`,
        references: { account_id: "acc_1", pickup_id: "pku_1", idempotency_key: null },
        address,
        contact: { name: "Ada Byron", phone: null, email: "ada@example.com" },
        date: "2026-10-06",
        ready_time: "09:10",
        close_time: "17:05",
        instructions: "Ring twice. ".repeat(20),
        tracking_codes: ["1"],
        package_count: 3,
        weight_grams: 2_000,
        expected_fee: { amount_cents: 0, currency: "USD" },
      });
      const schedule = { method: post, path: "/carrier-pickup" };
      expect(document("carrier-pickup").findings(schedule, pickup)).toEqual([]);
      const form = toScanFormRequest({
        context,
        reference: "man_1",
        references: manifestReferences,
        labels: [
          {
            context,
            reference: "r",
            carrier_label_id: "1",
            tracking_code: "9205590164917312345671",
            carrier_data: null,
          },
        ],
        from_address: address,
        ship_date: "2026-10-06",
      });
      const scan = { method: post, path: "/scan-form" };
      expect(document("scan-forms").findings(scan, form)).toEqual([]);
    }
  });
});
