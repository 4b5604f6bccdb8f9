import { percentOf, type Cents } from "../../../domain/values/money.ts";
import { decimalOf } from "../../protocol/amount.ts";
import type { WireRate, WireTracking, WireTrackingEvent } from "../../simulator/wire.ts";
import { oneOrMany } from "./refusals.ts";

/** What the simulator knows, in UPS's shapes. No I/O. */

/** The published prices are higher than those that an account has negotiated. */
const publishedPercent = 125;

const chargeCodes: Readonly<Record<string, string>> = {
  fuel_surcharge: "375",
  residential: "270",
  remote_area: "190",
  oversize: "100",
};

function money(currency: string, cents: Cents) {
  return { CurrencyCode: currency, MonetaryValue: decimalOf(cents) };
}

export interface Priced {
  rate: WireRate;
  /** With the chosen extras. */
  total_cents: Cents;
}

/** The charges of a shipment; negotiated ones beside, where they were asked for. */
export function chargesOf({ rate, total_cents }: Priced, negotiated: boolean) {
  const { currency, surcharges } = rate;
  const published = (cents: Cents) => money(currency, percentOf(cents, publishedPercent));
  const lines = surcharges.map(({ code, amount_cents }) => ({
    Code: chargeCodes[code] ?? "999",
    ...(negotiated ? money(currency, amount_cents) : published(amount_cents)),
  }));
  const publishedTotal = published(total_cents);
  return {
    charges: {
      TransportationCharges: published(rate.base_cents),
      ...(negotiated ? {} : { ItemizedCharges: oneOrMany(lines) }),
      ServiceOptionsCharges: money(currency, 0),
      TotalCharges: publishedTotal,
    },
    ...(negotiated
      ? {
          NegotiatedRateCharges: {
            ItemizedCharges: oneOrMany(lines),
            TotalCharge: money(currency, total_cents),
          },
        }
      : {}),
  };
}

export function ratedShipment(priced: Priced, negotiated: boolean): object {
  const { rate } = priced;
  const { charges, ...own } = chargesOf(priced, negotiated);
  const { value, unit } = rate.billable_weight;
  const alert = { Code: "110971", Description: "Your invoice may vary from the displayed rates" };
  return {
    Service: { Code: rate.service_code, Description: "" },
    RatedShipmentAlert: alert,
    BillingWeight: {
      UnitOfMeasurement: { Code: unit === "kg" ? "KGS" : "LBS", Description: unit },
      Weight: value.toFixed(1),
    },
    Zone: rate.zone.slice(0, 4),
    ...charges,
    ...own,
    RatedPackage: oneOrMany([{ TotalCharges: charges.TotalCharges, Weight: value.toFixed(1) }]),
    TimeInTransit: {
      PickupDate: "",
      ServiceSummary: {
        Service: { Description: "" },
        EstimatedArrival: {
          Arrival: { Date: rate.delivery_date.replaceAll("-", ""), Time: "233000" },
          BusinessDaysInTransit: String(rate.transit_days),
        },
      },
    },
  };
}

/** One package's tracking, as UPS lists it; its reference at the level at which it was given. */
export function trackedPackage(
  { tracking_code, estimated_delivery_date, signed_by, events }: WireTracking,
  reference: string,
): object {
  const activity = events.map(activityOf);
  return {
    trackingNumber: tracking_code,
    ...(estimated_delivery_date
      ? { deliveryDate: [{ type: "SDD", date: estimated_delivery_date.replaceAll("-", "") }] }
      : {}),
    ...(signed_by
      ? { deliveryInformation: { receivedBy: signed_by, location: "FRONT DOOR" } }
      : {}),
    activity,
    currentStatus: activity[0]?.status,
    referenceNumber: [{ type: "REFERENCE", number: reference }],
    packageCount: 1,
  };
}

function activityOf({
  code,
  text,
  local_time,
  utc_offset,
  city,
  province,
  country,
}: WireTrackingEvent) {
  const utc = new Date(`${local_time}${utc_offset}`).toISOString();
  return {
    location: {
      address: {
        city: city ?? "",
        stateProvince: province ?? "",
        countryCode: country ?? "",
        country,
      },
    },
    status: { ...kindOf(code), statusCode: code, description: text },
    date: local_time.slice(0, 10).replaceAll("-", ""),
    time: local_time.slice(11).replaceAll(":", ""),
    gmtDate: utc.slice(0, 10).replaceAll("-", ""),
    gmtOffset: utc_offset,
    gmtTime: utc.slice(11, 19),
  };
}

/** Announced, voided and delivered have types of their own; everything between is in transit. */
function kindOf(code: string): { type: string; code: string } {
  if (code === "003") return { type: "M", code: "MP" };
  if (code === "007") return { type: "MV", code: "VP" };
  return code === "011" ? { type: "D", code: "FS" } : { type: "I", code: "DP" };
}
