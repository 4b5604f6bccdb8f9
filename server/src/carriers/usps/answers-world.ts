import type { HttpAnswer } from "../../transport/http-call.ts";
import { readPaymentToken, readToken } from "./client.ts";
import { fromCancelResponse as fromLabelCancel, fromLabelResponse, fromReprint } from "./labels.ts";
import { fromScanFormResponse } from "./manifests.ts";
import { fromCancelResponse, fromPickupResponse } from "./pickups.ts";
import { fromAddressResponse, fromPostOffices } from "./locations.ts";
import { fromOptionsResponse } from "./rates.ts";
import { fromTracking } from "./tracking.ts";
import { trackingEvents } from "./tracking-events.ts";

/** The parser of each of USPS's answers. */
export const parsers: Readonly<Record<string, (answer: HttpAnswer) => unknown>> = {
  token: readToken,
  payment: readPaymentToken,
  options: fromOptionsResponse,
  label: fromLabelResponse,
  reprint: fromReprint,
  cancel: fromLabelCancel,
  pickup: fromPickupResponse,
  pickupCancel: (answer) => fromCancelResponse(answer) ?? null,
  scanForm: fromScanFormResponse,
  address: fromAddressResponse,
  postOffices: fromPostOffices,
  tracking: (answer) => fromTracking(answer, trackingEvents),
};

/** One good answer of each, in USPS's shapes. */
export const goodAnswers: Readonly<Record<string, object>> = {
  token: { access_token: "abc", expires_in: "14399", token_type: "Bearer" },
  payment: { paymentAuthorizationToken: "a.b.c", roles: [] },
  options: {
    originZIPCode: "10001",
    pricingOptions: [
      {
        priceType: "COMMERCIAL",
        shippingOptions: [
          {
            mailClass: "PRIORITY_MAIL",
            rateOptions: [
              {
                commitment: { name: "2 Days", scheduleDeliveryDate: "2026-10-08" },
                totalBasePrice: 11.5,
                rates: [
                  {
                    price: 9.5,
                    zone: "05",
                    fees: [{ name: "Nonstandard length", SKU: "D811", price: 2 }],
                    rateIndicator: "SP",
                    processingCategory: "MACHINABLE",
                  },
                ],
                extraServices: [{ extraService: "921", name: "Signature", price: 3.95 }],
              },
            ],
          },
        ],
      },
    ],
  },
  label: {
    trackingNumber: "9205590164917312345671",
    postage: 9.5,
    extraServices: [{ name: "Signature", price: 3.95 }],
    fees: [{ name: "Nonstandard length", price: 2 }],
    labelImage: "JVBERi0xLjQKJSVFT0YK",
  },
  reprint: {
    labelMetadata: { trackingNumber: "9205590164917312345671", postage: 9.5 },
    labelImage: "JVBERi0xLjQKJSVFT0YK",
    reprintInfo: { reprintNumber: 1, reprintLimit: 3 },
  },
  cancel: { trackingNumber: "9205590164917312345671", status: "CANCELED" },
  pickup: { confirmationNumber: "WTC123000001", pickupDate: "2026-10-06" },
  scanForm: { manifestNumber: "9475038234567000031430", SCANFormImage: "JVBERi0xLjQKJSVFT0YK" },
  address: {
    address: {
      streetAddress: "20 W 34TH ST",
      city: "NEW YORK",
      state: "NY",
      ZIPCode: "10001",
      ZIPPlus4: "3001",
    },
    additionalInfo: { DPVConfirmation: "Y", business: "N" },
  },
  postOffices: {
    locations: [
      {
        facilityID: "1369089",
        facilityName: "KINGSBRIDGE",
        facilityAddress: {
          streetAddress: "5517 BROADWAY",
          city: "BRONX",
          state: "NY",
          ZIPCode: "10463",
        },
        distance: 0.2,
      },
    ],
  },
  tracking: {
    trackingNumber: "9205590164917312345671",
    expectedDeliveryDate: "2026-10-08",
    trackingEvents: [
      {
        eventType: "USPS in possession of item",
        eventTimestamp: "2026-10-05T07:31:00",
        GMTTimestamp: "2026-10-05T11:31:00Z",
        GMTOffset: "-04:00",
        eventCity: "RICHMOND",
        eventState: "VA",
        eventCountry: null,
        eventCode: "03",
        name: null,
      },
    ],
  },
  errors: {
    apiVersion: "/labels/v3",
    error: {
      code: "400",
      message: "Bad Request",
      errors: [{ code: "00000XX", detail: "Order not found" }],
    },
  },
};
