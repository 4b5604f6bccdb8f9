import type { Erratum } from "../corpus/json-schema-world.ts";

/** UPS's own sample of a recovery, beside its document. */
const recoverySample = "label_recovery/request.ups-Shipping-…-Label-Recovery-Request";

/** UPS's own sample of a pickup. */
const pickupSample = "pickup/request.ups-Pickup-post-request-1-A-sample-JSON-request";

/** Rules of UPS's documents that its own recorded or published messages disprove. */
export const upsErrata: readonly Erratum[] = [
  {
    at: /^\/LabelRecoveryRequest\/LabelSpecification\/LabelImageFormat\/Code$/,
    keyword: "minLength",
    because: `${recoverySample} has ZPL, and the text beside the rule lists GIF, PDF, ZPL and EPL`,
  },
  {
    // Of another product (its numbers begin with 1R), and of recoveries without a number.
    at: /^\/LabelRecoveryRequest$/,
    keyword: "required",
    because: `${recoverySample} has neither TrackingNumbers nor ReferenceValues`,
  },
  {
    at: /^\/RateRequest\/Shipment\/Package\/\*\/PackageServiceOptions\/DeclaredValue\/MonetaryValue$/,
    keyword: "minLength",
    because: "rate/exchange.vcr-rates_success has 0, and UPS answered with prices",
  },
  {
    at: /^\/LocatorRequest\/Request\/RequestAction$/,
    keyword: "minLength",
    because: "locations/request.ups-Locator-… has Locator, which the text beside the rule demands",
  },
  {
    at: /^\/PickupCreationRequest\/PickupDateInfo\/PickupDate$/,
    keyword: "maxLength",
    because: `${pickupSample} has 20221214, and the text beside the rule asks for yyyyMMdd`,
  },
  {
    at: /^\/PickupCreationRequest\/TotalWeight\/Weight$/,
    keyword: "minLength",
    because: `${pickupSample} has 5.5`,
  },
];
