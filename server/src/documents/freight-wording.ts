import {
  accessorialsOf,
  type Accessorial,
  type HandlingUnit,
  type LocationType,
} from "../domain/goods/freight.ts";
import type { FreightDocuments } from "./freight-documents.ts";
import { inTenths, type TwoWeights } from "./freight-documents.ts";

/** Freight in the wording of the dock. */

/** The driver's tasks, in a dispatcher's wording. */
const accessorialWords: Record<Accessorial, string> = {
  liftgate_pickup: "Liftgate at pickup",
  liftgate_delivery: "Liftgate at delivery",
  inside_pickup: "Inside pickup",
  inside_delivery: "Inside delivery",
  residential_pickup: "Residential pickup",
  residential_delivery: "Residential delivery",
  limited_access_pickup: "Limited access pickup",
  limited_access_delivery: "Limited access delivery",
  appointment_pickup: "Appointment for pickup",
  appointment_delivery: "Appointment for delivery",
  notify_before_delivery: "Notify consignee before delivery",
  protect_from_freeze: "PROTECT FROM FREEZING",
  hazmat: "HAZARDOUS MATERIALS",
  hold_at_terminal: "Hold at terminal for pickup",
};

/** Instructions that do harm when overlooked come first, on a line of their own. */
const loudly: readonly Accessorial[] = ["hazmat", "protect_from_freeze"];

/** The kind of location, where it is no ordinary dock. */
function placeWords(type: LocationType): string | null {
  if (type === "business_with_dock") return null;
  if (type === "business_without_dock") return "no dock";
  return type.replace(/_/g, " ");
}

/** Everything that the driver must know and that no other box of the form says, one item a line. */
export function instructions(facts: FreightDocuments): string[] {
  const { pickup, delivery, special_instructions, handling_units } = facts;
  const asked = new Set(accessorialsOf(facts));
  if (handling_units.some(({ hazmat }) => hazmat)) asked.add("hazmat");
  if (pickup.appointment_required) asked.add("appointment_pickup");
  if (delivery.appointment_required) asked.add("appointment_delivery");
  const words = (codes: Accessorial[]) => codes.map((code) => accessorialWords[code]).join("; ");
  const loud = [...asked].filter((code) => loudly.includes(code));
  const services = [...asked].filter((code) => !loudly.includes(code));
  const all: [string, string | null | undefined][] = [
    ["", words(loud)],
    ["Services: ", words(services)],
    ["Pickup place: ", placeWords(pickup.location_type)],
    ["Delivery place: ", placeWords(delivery.location_type)],
    ["", special_instructions],
    ["Pickup: ", pickup.instructions],
    ["Delivery: ", delivery.instructions],
  ];
  return all.flatMap(([name, words]) => (words ? [`${name}${words}`] : []));
}

/** `1,250 lb (567 kg)`. */
export function weightWords({ pound_tenths, kilogram_tenths }: TwoWeights): string {
  return `${inTenths(pound_tenths)} lb (${inTenths(kilogram_tenths)} kg)`;
}

/** `48 × 40 × 60 in`. */
export function sizeWords({ length, width, height, size_unit }: HandlingUnit): string {
  return `${[length, width, height].join(" × ")} ${size_unit}`;
}
