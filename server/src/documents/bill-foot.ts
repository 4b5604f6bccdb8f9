import type { Mark } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { page } from "./form-page.ts";
import { across, checkbox, down, field, frame, smallPrint } from "./form.ts";
import type { FreightDocuments } from "./freight-documents.ts";

/** The lower part of the first page: value, liability, signatures. The wording is Waybill's own. */

const height = 162;
const top = page.bottom - height;
const { left, right, middle, width } = page;

export const footTop = top;

export function foot(facts: FreightDocuments): Mark[] {
  return [
    ...frame({ x: left, y: top, width, height }),
    ...value(facts, top),
    ...liability(top + 34),
    ...received(top + 46),
    ...signatures(facts, top + 86),
  ];
}

const declared =
  "Where the rate depends on value, the shipper states here in writing what the property is worth: its agreed or declared value is specifically stated by the shipper to be not more than";

function value({ declared_value }: FreightDocuments, y: number): Mark[] {
  const amount = declared_value
    ? `${declared_value.amount.toLocaleString("en-US", { minimumFractionDigits: 2 })} ${declared_value.currency}, for all of it.`
    : "____________________ per ____________________.";
  return [
    ...smallPrint(declared, { x: left + 4, y: y + 4, width: middle - left - 8, height: 16 }),
    text(amount, left + 4, y + 22, { size: 8, bold: true, max: middle - left - 8 }),
    down(middle, y, 34),
    ...field("COD Amount: $", "none", { x: middle + 4, y: y + 4, width: 120 }),
    text("Fee Terms:", middle + 4, y + 20, { size: 6.5, max: 40 }),
    ...checkbox("Collect", false, { x: middle + 44, y: y + 19, width: 46 }),
    ...checkbox("Prepaid", false, { x: middle + 92, y: y + 19, width: 46 }),
    ...checkbox("Customer check acceptable", false, { x: middle + 144, y: y + 19, width: 126 }),
    across(left, y + 34, width),
  ];
}

function liability(y: number): Mark[] {
  const words =
    "NOTE: The carrier's liability for loss of or damage to this shipment may be limited by law and by its tariff.";
  return [
    text(words, left + width / 2, y + 2.5, {
      size: 7,
      bold: true,
      align: "center",
      max: width - 8,
    }),
    across(left, y + 12, width),
  ];
}

const receipt =
  "RECEIVED in apparent good order, except as noted, the property described above, packed, marked and addressed as shown, for carriage to the place of delivery. The carriage is subject to the rates and terms agreed in writing between carrier and shipper or, where there are none, to the carrier's tariff and classification in force on the day of shipping, which the shipper may ask for, and to the laws and regulations that apply. This bill of lading is not negotiable.";
const payment =
  "Freight charges are owed by the party named under “Third party freight charges bill to”. The carrier may not hold this shipment back from the consignee for charges that this party owes.";

function received(y: number): Mark[] {
  const split = left + 350;
  return [
    ...smallPrint(receipt, { x: left + 4, y: y + 4, width: split - left - 8, height: 34 }),
    down(split, y, 40),
    ...smallPrint(payment, { x: split + 4, y: y + 4, width: right - split - 8, height: 34 }),
    across(left, y + 40, width),
  ];
}

function signatures({ handling_units }: FreightDocuments, y: number): Mark[] {
  const columns = [left, left + 178, left + 262, left + 372, right] as const;
  const [shipper, loaded, counted, carrier] = columns;
  const rows = { x: 0, height: page.bottom - y };
  const statement =
    "This certifies that the property named above is properly classified, packed, marked and labelled, and is in proper condition for carriage under the regulations that apply.";
  const receiptOfFreight =
    "The carrier acknowledges receipt of the packages and of any placards required, and that emergency response information was made available or is in the vehicle. Property described above is received in good order, except as noted.";
  const isHazardous = handling_units.some(({ hazmat }) => hazmat);
  return [
    ...columns.slice(1, 4).map((x) => down(x, y, rows.height)),
    caption("SHIPPER SIGNATURE / DATE", shipper, y),
    ...smallPrint(statement, { x: shipper + 4, y: y + 13, width: 170, height: 25 }),
    signatureLine(shipper + 4, page.bottom - (isHazardous ? 19 : 8), 170),
    ...(isHazardous ? emergency(shipper + 4) : []),
    caption("Trailer Loaded:", loaded, y),
    ...checkbox("By shipper", false, { x: loaded + 4, y: y + 16, width: 76 }),
    ...checkbox("By driver", false, { x: loaded + 4, y: y + 30, width: 76 }),
    caption("Freight Counted:", counted, y),
    ...checkbox("By shipper", false, { x: counted + 4, y: y + 16, width: 102 }),
    ...checkbox("By driver / pallets said", false, { x: counted + 4, y: y + 30, width: 104 }),
    text("to contain", counted + 14, y + 38.5, { size: 6.8, max: 90 }),
    ...checkbox("By driver / pieces", false, { x: counted + 4, y: y + 51, width: 102 }),
    caption("CARRIER SIGNATURE / PICKUP DATE", carrier, y),
    ...smallPrint(receiptOfFreight, { x: carrier + 4, y: y + 13, width: 176, height: 33 }),
    signatureLine(carrier + 4, page.bottom - 8, 176),
  ];
}

function caption(words: string, x: number, y: number): Mark {
  return text(words, x + 4, y + 4, { size: 6.8, bold: true, max: 170 });
}

function signatureLine(x: number, y: number, length: number): Mark {
  return across(x, y, length);
}

/** The shipper writes the emergency contact by hand; Waybill does not have it. */
function emergency(x: number): Mark[] {
  return [
    text("24-hour emergency telephone:", x, page.bottom - 12, { size: 6.5, bold: true, max: 100 }),
    across(x + 100, page.bottom - 4, 70),
  ];
}
