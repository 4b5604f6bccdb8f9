import { barcode } from "../drawing/barcode.ts";
import type { Mark } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import type { Address } from "../domain/addresses/address.ts";
import { page, title } from "./form-page.ts";
import {
  across,
  checkbox,
  down,
  field,
  frame,
  heading,
  headingHeight,
  leading,
  lines,
} from "./form.ts";
import type { FreightDocuments } from "./freight-documents.ts";
import { instructionLines } from "./bill-supplement.ts";
import { cityLine } from "./party.ts";

/** The upper part of the first page: the parties on the left, truck and numbers on the right. */

const top = page.top + page.titleHeight;
const partyHeight = 54;
const payerHeight = 36;
const height = 244;
/** With the title. */
export const headHeight = page.titleHeight + height;

const left = { x: page.left + 4, width: page.middle - page.left - 8 };
const right = { x: page.middle + 4, width: page.right - page.middle - 8 };

const instructionsTop = top + 3 * headingHeight + 2 * partyHeight + payerHeight;
const instructionSize = 7.5;
const roomForInstructions = Math.floor(
  (top + height - instructionsTop - 13) / (instructionSize * leading),
);

/** The marks, and those lines of the instructions that do not fit. */
export function head(facts: FreightDocuments): { marks: Mark[]; instructions_later: string[] } {
  const all = instructionLines(facts, { width: left.width, size: instructionSize });
  const here = all.length <= roomForInstructions ? all.length : roomForInstructions - 1;
  const shown = all.slice(0, here);
  if (here < all.length) shown.push("(continued on the supplement page)");
  const marks = [
    ...title("BILL OF LADING"),
    field("Date:", facts.pickup.date, { x: page.left, y: page.top + 6, width: 120 }),
    ...frame({ x: page.left, y: top, width: page.width, height }),
    down(page.middle, top, height),
    ...parties(facts),
    text("SPECIAL INSTRUCTIONS:", left.x, instructionsTop + 3, {
      size: 6.5,
      bold: true,
      max: left.width,
    }),
    ...lines(shown, {
      x: left.x,
      y: instructionsTop + 12,
      width: left.width,
      size: instructionSize,
    }),
    ...numbers(facts),
  ].flat();
  return { marks, instructions_later: all.slice(here) };
}

function parties(facts: FreightDocuments): Mark[] {
  const { ship_from, ship_to, bill_to, pickup, delivery } = facts;
  const payer = "THIRD PARTY FREIGHT CHARGES BILL TO";
  const size = 7.2;
  const width = page.middle - page.left;
  const [second, third] = [top + headingHeight + partyHeight, instructionsTop - payerHeight];
  return [
    ...heading("SHIP FROM", page.left, top, width),
    ...party(ship_from, pickup.contact, { id: `SID#: ${facts.ship_code}`, y: top + headingHeight }),
    ...heading("SHIP TO", page.left, second, width),
    ...party(ship_to, delivery.contact, { id: "CID#:", y: second + headingHeight }),
    ...heading(payer, page.left, third - headingHeight, width),
    ...field("Name:", bill_to.name, { x: left.x, y: third + 2.5, width: left.width }),
    ...lines(bill_to.lines.slice(0, 2), { x: left.x, y: third + 14, width: left.width, size }),
    across(page.left, instructionsTop, width),
  ];
}

type Contact = FreightDocuments["pickup"]["contact"];

function party(address: Address, contact: Contact, { id, y }: { id: string; y: number }): Mark[] {
  const { name, company, address1, address2, phone } = address;
  const split = left.x + 186;
  const row = (place: number) => ({ x: left.x, y: y + 3 + place * 10, width: left.width });
  const half = (place: number) => ({ ...row(place), width: split - left.x - 6 });
  const beside = (place: number) => ({ ...row(place), x: split, width: left.width - 186 });
  const second = address2 ? [text(address2, left.x + 30, row(2).y, secondLine)] : [];
  return [
    ...field("Name:", company ?? name, row(0)),
    ...field("Address:", address1, row(1)),
    ...second,
    ...field("City/State/Zip:", cityLine(address), half(3)),
    text(id, split, row(3).y + 1.7, { size: 6.5, max: 84 }),
    // A number has a field of its own: beside a right-to-left name it would be reversed.
    ...field("Contact:", contact.name ?? name, { ...half(4), width: 116 }),
    ...field("Tel:", contact.phone ?? phone, { ...row(4), x: left.x + 120, width: 110 }),
    ...checkbox("FOB", false, { ...beside(4), x: left.x + left.width - 30, width: 30 }),
  ];
}

const secondLine = { size: 8, bold: true, max: left.width - 30 };

function numbers(facts: FreightDocuments): Mark[] {
  const { bol_number, carrier, confirmation_number } = facts;
  const { x, width } = right;
  const ends = [0, 50, 100, 164, 198, 226].map((each) => top + each) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return [
    ...field("Bill of Lading Number:", bol_number, { x, y: ends[0] + 4, width, size: 10 }),
    ...barcode(bol_number, { x, y: ends[0] + 18, width, height: 28 }),
    ...field("CARRIER NAME:", carrier.name, { x, y: ends[1] + 4, width, size: 10 }),
    ...field("Service:", facts.service_name, { x, y: ends[1] + 17, width }),
    ...field("Trailer number:", null, { x, y: ends[1] + 28, width }),
    across(x + 52, ends[1] + 36, width - 52),
    ...field("Seal number(s):", null, { x, y: ends[1] + 39, width }),
    across(x + 52, ends[1] + 47, width - 52),
    ...pro(facts, ends[2]),
    ...field("Pickup:", stopWords(facts.pickup, facts.pickup.date), { x, y: ends[3] + 3, width }),
    ...field("Delivery:", stopWords(facts.delivery, null), { x, y: ends[3] + 13, width }),
    ...field("Confirmation:", confirmation_number, { x, y: ends[3] + 23, width }),
    ...terms(facts, ends[4]),
    ...checkbox("Master Bill of Lading: with attached underlying Bills of Lading", false, {
      x,
      y: ends[5] + 6,
      width,
    }),
    ...ends.slice(1).map((y) => across(page.middle, y, page.right - page.middle)),
  ];
}

function pro({ carrier, pro_number }: FreightDocuments, y: number): Mark[] {
  const { x, width } = right;
  const scac = field("SCAC:", carrier.scac ?? "-", { x, y: y + 4, width: 80, size: 10 });
  const beside = { x: x + 84, y: y + 4, width: width - 84, size: 10 };
  if (pro_number !== null)
    return [
      ...scac,
      ...field("Pro number:", pro_number, beside),
      ...barcode(pro_number, { x, y: y + 18, width, height: 42 }),
    ];
  const place = { x: x + 2, y: y + 17, width: width - 4, height: 43 };
  return [
    ...scac,
    ...field("Pro number:", "not assigned yet", { ...beside, size: 8 }),
    ...frame(place),
    text("Driver: put the carrier's PRO label here", x + width / 2, y + 34, {
      size: 8,
      align: "center",
      max: width - 12,
    }),
  ];
}

function stopWords(
  { ready_time, close_time }: { ready_time: string; close_time: string },
  date: string | null,
): string {
  return [date, `${ready_time} to ${close_time}`].filter(Boolean).join(", ");
}

function terms({ freight_terms }: FreightDocuments, y: number): Mark[] {
  const { x, width } = right;
  const third = (width - 4) / 3;
  const boxes = [
    { term: "prepaid", words: "Prepaid" },
    { term: "collect", words: "Collect" },
    { term: "third_party", words: "3rd Party" },
  ];
  return [
    text("Freight Charge Terms:", x, y + 4, { size: 6.5, bold: true, max: width }),
    text("(freight charges are prepaid unless marked otherwise)", x + 76, y + 4, {
      size: 6.5,
      max: width - 76,
    }),
    ...boxes.flatMap(({ term, words }, place) =>
      checkbox(words, term === freight_terms, {
        x: x + place * third,
        y: y + 16,
        width: third,
      }),
    ),
  ];
}
