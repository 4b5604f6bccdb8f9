import type { HttpAnswer } from "../../transport/http-call.ts";
import { fromAddressResponse } from "./addresses.ts";
import { readToken } from "./client.ts";
import { fromRecoveryResponse, fromShipmentResponse, fromVoidResponse } from "./labels.ts";
import { fromLocatorResponse } from "./locations.ts";
import { fromCancelResponse, fromPendingResponse, fromPickupResponse } from "./pickups.ts";
import { fromRateResponse } from "./rated-services.ts";
import { fromReference, fromTracking, saysUnknown } from "./tracking.ts";
import { trackingEvents } from "./tracking-events.ts";

/** The parser of each of UPS's answers, by the name that all else of it is in. */
export const parsers: Readonly<Record<string, (answer: HttpAnswer) => unknown>> = {
  access_token: readToken,
  RateResponse: fromRateResponse,
  ShipmentResponse: fromShipmentResponse,
  LabelRecoveryResponse: (answer) => fromRecoveryResponse(answer, 0),
  VoidShipmentResponse: (answer) => fromVoidResponse(answer) ?? null,
  PickupCreationResponse: fromPickupResponse,
  PickupPendingStatusResponse: fromPendingResponse,
  PickupCancelResponse: (answer) => fromCancelResponse(answer) ?? null,
  XAVResponse: fromAddressResponse,
  LocatorResponse: fromLocatorResponse,
  trackResponse: (answer) => [
    saysUnknown(answer) ? null : fromTracking(answer, "1Z", trackingEvents),
    fromReference(answer, "no reference of ours"),
  ],
};

const done = { ResponseStatus: { Code: "1", Description: "Success" } };
const money = (MonetaryValue: string) => ({ CurrencyCode: "CAD", MonetaryValue });
const place = {
  AddressLine: ["1 MAIN ST"],
  PoliticalDivision2: "TORONTO",
  PoliticalDivision1: "ON",
  PostcodePrimaryLow: "M5V3L9",
  CountryCode: "CA",
};

/** One good answer of each, in UPS's shapes. */
export const goodAnswers: Readonly<Record<string, object>> = {
  access_token: { access_token: "abc", expires_in: "14399", token_type: "Bearer" },
  RateResponse: {
    RateResponse: {
      Response: done,
      RatedShipment: {
        Service: { Code: "11" },
        BillingWeight: { UnitOfMeasurement: { Code: "KGS" }, Weight: "2.0" },
        TotalCharges: money("20.00"),
        NegotiatedRateCharges: {
          ItemizedCharges: { Code: "375", ...money("1.25") },
          TotalCharge: money("15.95"),
        },
        RatedPackage: { TotalCharges: money("20.00") },
        TimeInTransit: {
          ServiceSummary: {
            EstimatedArrival: { Arrival: { Date: "20261012" }, BusinessDaysInTransit: "3" },
          },
        },
      },
    },
  },
  ShipmentResponse: {
    ShipmentResponse: {
      Response: done,
      ShipmentResults: {
        ShipmentCharges: { TotalCharges: money("20.00") },
        ShipmentIdentificationNumber: "1Z12345E0205271688",
        PackageResults: {
          TrackingNumber: "1Z12345E0205271688",
          ShippingLabel: { ImageFormat: { Code: "ZPL" }, GraphicImage: "XlhBXlha" },
        },
      },
    },
  },
  LabelRecoveryResponse: {
    LabelRecoveryResponse: {
      Response: done,
      LabelResults: {
        TrackingNumber: "1Z12345E0205271688",
        LabelImage: { LabelImageFormat: { Code: "ZPL" }, GraphicImage: "XlhBXlha" },
      },
    },
  },
  VoidShipmentResponse: {
    VoidShipmentResponse: { Response: done, SummaryResult: { Status: { Code: "1" } } },
  },
  PickupCreationResponse: {
    PickupCreationResponse: {
      Response: done,
      PRN: "2929602E9CP",
      RateResult: { CurrencyCode: "CAD", GrandTotalOfAllCharge: "7.50" },
    },
  },
  PickupPendingStatusResponse: {
    PickupPendingStatusResponse: {
      Response: done,
      PendingStatus: [{ PRN: "2929602E9CP", ServiceDate: "20261006", ReferenceNumber: "att_1" }],
    },
  },
  PickupCancelResponse: { PickupCancelResponse: { Response: done, PickupType: "01" } },
  XAVResponse: {
    XAVResponse: {
      Response: done,
      ValidAddressIndicator: "",
      Candidate: {
        AddressClassification: { Code: "2" },
        AddressKeyFormat: { ...place, AddressLine: "1 MAIN ST" },
      },
    },
  },
  LocatorResponse: {
    LocatorResponse: {
      Response: { ResponseStatusCode: "1" },
      SearchResults: {
        DropLocation: [
          {
            LocationID: "1364",
            AddressKeyFormat: { ...place, ConsigneeName: "UPS CUSTOMER CENTER" },
            Distance: { Value: "1.2", UnitOfMeasurement: { Code: "MI" } },
          },
        ],
      },
    },
  },
  trackResponse: {
    trackResponse: {
      shipment: [
        {
          inquiryNumber: "1Z12345E0205271688",
          package: [
            {
              trackingNumber: "1Z12345E0205271688",
              deliveryDate: [{ type: "SDD", date: "20261012" }],
              deliveryInformation: { receivedBy: "A BYRON" },
              referenceNumber: [{ type: "SHIPMENT", number: "no reference of ours" }],
              activity: [
                {
                  date: "20261005",
                  time: "163000",
                  gmtDate: "20261005",
                  gmtTime: "20:30:00",
                  gmtOffset: "-04:00",
                  location: {
                    address: { city: "TORONTO", stateProvince: "ON", countryCode: "CA" },
                  },
                  status: { type: "I", code: "DP", statusCode: "005", description: "Departed" },
                },
              ],
            },
          ],
        },
      ],
    },
  },
  errors: { response: { errors: [{ code: "120802", message: "Address Validation Error" }] } },
};
