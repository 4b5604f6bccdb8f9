import { provinceProblem, reachProblems } from "../addresses/address-rules.ts";
import type { Address, NewAddress } from "../addresses/address.ts";
import { addDays, isBusinessDay } from "../time/business-days.ts";
import { addProblem, throwIfAny, type Problems } from "../errors/errors.ts";
import { classOfDensity } from "../goods/freight-class.ts";
import { defaultWindow, placeOf } from "./freight-stops.ts";
import { freightClasses, type FreightClass, type HandlingUnit } from "../goods/freight.ts";
import {
  maxUnits,
  type NewFreightDelivery,
  type NewFreightPickup,
  type NewHandlingUnit,
} from "../goods/new-freight.ts";
import { weightUnits, type NewItem, type NewPackage, type WeightUnit } from "../goods/parcel.ts";
import { timeOfDayPattern } from "../values/schema.ts";
import {
  addAll,
  addCustomsProblems,
  isRecord,
  packageProblems,
  partyProblems,
  rows,
} from "./shipment-rules.ts";
import { cleanText } from "../text/text.ts";
import { localMoment, type Place } from "../time/time-zones.ts";
import { density, toGrams, totalGrams } from "../goods/units.ts";

/** The rules of an LTL shipment as a whole (decision 5). */

const maxPounds = 20_000;
const countries = ["CA", "US"];

export interface LtlShipment {
  from_address?: NewAddress | Address | null;
  to_address: NewAddress | Address;
  handling_units?: readonly NewHandlingUnit[] | null;
  packages?: readonly NewPackage[] | null;
  pickup?: NewFreightPickup | null;
  delivery?: NewFreightDelivery | null;
  items?: readonly NewItem[] | null;
}

/** All problems of an LTL shipment beyond its structure, by dotted path. */
export function freightProblems(
  shipment: LtlShipment,
  { purpose, now }: { purpose: "ship" | "quote"; now: Date },
): Problems {
  const { from_address, to_address } = shipment;
  const problems = partyProblems({ from_address, to_address });
  for (const role of ["from_address", "to_address"] as const)
    addStopAddressProblems(problems, role, { address: shipment[role], purpose });
  addUnitProblems(problems, shipment);
  addStopProblems(problems, "pickup", shipment.pickup);
  addStopProblems(problems, "delivery", shipment.delivery);
  addAll(problems, "pickup", truckProblems(shipment, now));
  addCustomsProblems(problems, { from_address, to_address, items: shipment.items }, purpose);
  return problems;
}

function addStopAddressProblems(
  problems: Problems,
  role: "from_address" | "to_address",
  { address, purpose }: { address: unknown; purpose: "ship" | "quote" },
): void {
  if (!isRecord(address)) return;
  const { country_code: country, phone } = address;
  if (typeof country === "string" && !countries.includes(country.trim().toUpperCase())) {
    const sentence = "Freight goes within and between Canada and the United States only.";
    addProblem(problems, `${role}.country_code`, sentence);
  }
  if (purpose === "ship" && (phone == null || (typeof phone === "string" && !cleanText(phone))))
    addProblem(problems, `${role}.phone`, "phone is required for freight: the driver calls.");
}

function addUnitProblems(problems: Problems, shipment: LtlShipment): void {
  const { handling_units: units, packages } = shipment;
  const isGiven = [units, packages].map((list) => rows(list).length > 0);
  if (isGiven[0] && isGiven[1])
    addProblem(problems, "packages", "must not be combined with handling_units.");
  // An empty list of units has a problem of its own; one of packages is in every answer about freight.
  if (!isGiven[0] && !isGiven[1] && !Array.isArray(units))
    addProblem(problems, "handling_units", "is required, unless there are packages.");
  rows(packages).forEach((row, index) => {
    addAll(problems, `packages.${index}`, packageProblems(row));
    if (isRecord(row) && row["length"] == null && row["width"] == null && row["height"] == null)
      addProblem(problems, `packages.${index}.length`, "Freight needs length, width and height.");
  });
  rows(units).forEach((row, index) => {
    const text = isRecord(row) ? row["description"] : null;
    if (typeof text === "string" && text !== "" && cleanText(text) === null)
      addProblem(problems, `handling_units.${index}.description`, "description must not be blank.");
  });
  const path = isGiven[0] ? "handling_units" : "packages";
  addTotalProblems(problems, path, rows(isGiven[0] ? units : packages));
}

/** Of rows that can be counted and weighed at all. */
function addTotalProblems(problems: Problems, path: string, list: readonly unknown[]): void {
  let count = 0;
  const weighed: { quantity: number; weight: number; weight_unit: WeightUnit }[] = [];
  for (const row of list.filter(isRecord)) {
    const { quantity = 1, weight, weight_unit: unit } = row;
    const quantityOf = typeof quantity === "number" ? quantity : 1;
    count += quantityOf;
    const weight_unit = weightUnits.find((each) => each === unit);
    if (typeof weight === "number" && weight_unit)
      weighed.push({ quantity: quantityOf, weight, weight_unit });
  }
  if (count > maxUnits)
    addProblem(problems, path, `A shipment has at most ${maxUnits} handling units, not ${count}.`);
  if (totalGrams(weighed) > toGrams(maxPounds, "lbs"))
    addProblem(problems, path, `A shipment weighs at most ${maxPounds} lbs in all.`);
}

const timeOfDay = new RegExp(timeOfDayPattern);

function addStopProblems(problems: Problems, end: "pickup" | "delivery", stop: unknown): void {
  if (!isRecord(stop)) return;
  const [ready, close] = (["ready_time", "close_time"] as const).map((field) => {
    const time = stop[field] ?? defaultWindow[field];
    return typeof time === "string" && timeOfDay.test(time) ? time : null;
  });
  if (ready && close && close <= ready) {
    const path = stop["close_time"] == null ? "ready_time" : "close_time";
    const sentence = `The place closes at ${close}, which is not after ${ready}.`;
    addProblem(problems, `${end}.${path}`, sentence);
  }
  const { contact } = stop;
  if (!isRecord(contact)) return;
  const [phone, email] = [contact["phone"], contact["email"]].map((text) =>
    typeof text === "string" ? cleanText(text) : null,
  );
  addAll(problems, `${end}.contact`, reachProblems({ phone, email, country_code: "CA" }));
}

/** No carrier's dispatcher plans farther ahead. */
const calendarDays = 30;

/**
 * Why no truck can come, by field of the pickup: not yesterday, nor today once the place has closed, nor
 * on its days off, nor in more than thirty days; by the place's local time and calendar.
 */
function truckProblems(
  { pickup, from_address: from }: Pick<LtlShipment, "pickup" | "from_address">,
  now: Date,
): Problems {
  const problems: Problems = {};
  if (!isRecord(pickup) || !isRecord(from)) return problems;
  const { date } = pickup;
  const close_time = pickup["close_time"] ?? defaultWindow.close_time;
  const { country_code, province_code } = from;
  if (typeof date !== "string" || typeof country_code !== "string") return problems;
  if (province_code != null && typeof province_code !== "string") return problems;
  const place = placeOf(from);
  const { day, time } = localMoment(now, place);
  const last = addDays(day, calendarDays);
  if (date < day) addProblem(problems, "date", `is past; there it is ${day} now.`);
  else if (date > last)
    addProblem(problems, "date", `must not be after ${last}, ${calendarDays} days from now.`);
  else if (isKnown(place) && !isBusinessDay(date, place))
    addProblem(problems, "date", "is a weekend or a public holiday at the address.");
  if (date === day && typeof close_time === "string" && close_time <= time)
    addProblem(problems, "close_time", `is past; there it is ${time} now.`);
  return problems;
}

/** Whether a place has a calendar: an unknown country or province is a problem of its own. */
function isKnown({ country_code, province_code }: Place): boolean {
  return (
    countries.includes(country_code) &&
    province_code !== null &&
    provinceProblem(country_code, province_code) === null
  );
}

/** Throws 422 for freight that can no longer be picked up as stated; a parcel has no pickup of its own. */
export function refuseMissedPickup(
  shipment: Pick<LtlShipment, "pickup" | "from_address">,
  now: Date,
): void {
  const problems: Problems = {};
  addAll(problems, "pickup", truckProblems(shipment, now));
  throwIfAny(problems);
}

/**
 * A handling unit as it is stored, its class decided. A class that came from a density follows it, also
 * in a unit that is stored or sent back as it was read.
 */
export function normaliseUnit(input: NewHandlingUnit): HandlingUnit {
  const given = input.freight_class_source === "density" ? null : input.freight_class;
  return {
    type: input.type,
    quantity: input.quantity,
    length: input.length,
    width: input.width,
    height: input.height,
    size_unit: input.size_unit,
    weight: input.weight,
    weight_unit: input.weight_unit,
    stackable: input.stackable ?? true,
    freight_class: given == null ? classOfDensity(density(input)) : classNamed(given),
    freight_class_source: given == null ? "density" : "given",
    nmfc_code: input.nmfc_code ?? null,
    description: cleanText(input.description) ?? "",
    pieces: input.pieces ?? null,
    hazmat: input.hazmat ?? false,
  };
}

function classNamed(given: FreightClass | number): FreightClass {
  return freightClasses.find((each) => each === String(given))!;
}

/** A plain package is one unit, of the trade's "freight of all kinds" where its content is not stated. */
export function unitOfPackage(input: NewPackage): HandlingUnit {
  return normaliseUnit({
    type: "box",
    quantity: 1,
    length: input.length!,
    width: input.width!,
    height: input.height!,
    size_unit: input.size_unit!,
    weight: input.weight,
    weight_unit: input.weight_unit,
    description: cleanText(input.package_contents ?? "") ?? "Freight of all kinds",
  });
}
