import { barcode } from "../drawing/barcode.ts";
import { box, labelSheet, type Mark, type Page } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { writePdf } from "../drawing/write-pdf.ts";
import { accessorialsOf, type HandlingUnit } from "../domain/goods/freight.ts";
import { atMost, frame, lines, leading } from "./form.ts";
import { unitWeight, type FreightDocuments } from "./freight-documents.ts";
import { sizeWords, weightWords } from "./freight-wording.ts";
import { addressLines, cityLine } from "./party.ts";

const margin = 12;
const right = labelSheet.width - margin;
const width = right - margin;

/**
 * A label for each handling unit of a booked LTL shipment, as PDF on 4 by 6 inch sheets, in the order of
 * the bill of lading. Each has the PRO number's barcode, which the carrier's terminals scan, and one of
 * its own: the BOL number and the unit's index (`…-003`), so that a missing unit can be identified. The
 * same facts give the same bytes.
 */
export function renderPalletLabels(facts: FreightDocuments): Promise<Buffer> {
  return writePdf(palletPages(facts), {
    title: `Pallet labels ${facts.bol_number}`,
    producer: "Waybill",
    made_at: new Date(`${facts.pickup.date}T00:00:00Z`),
  });
}

/** The labels as marks, one page a unit. */
export function palletPages(facts: FreightDocuments): Page[] {
  const units = facts.handling_units.flatMap((unit) =>
    Array.from({ length: unit.quantity }, () => unit),
  );
  return units.map((unit, index) => ({
    paper: labelSheet,
    marks: label(facts, { unit, place: index + 1, count: units.length }),
  }));
}

/** Which unit a label is for. */
interface Labelled {
  unit: HandlingUnit;
  place: number;
  count: number;
}

function label(facts: FreightDocuments, labelled: Labelled): Mark[] {
  return [
    ...carrierHead(facts),
    ...pro(facts),
    ...sender(facts),
    ...recipient(facts),
    ...place(facts, labelled),
    ...freight(facts, labelled.unit),
    ...unitCode(facts, labelled),
  ];
}

function rule(y: number): Mark {
  return box(margin, y, width, 1.2);
}

function carrierHead({ carrier, service_name, pickup }: FreightDocuments): Mark[] {
  return [
    text(carrier.name, margin, 11, { size: 17, bold: true, max: 200 }),
    text(carrier.scac ?? "", right, 11, { size: 17, bold: true, align: "right", max: 60 }),
    text(service_name, margin, 31, { size: 8, max: 170 }),
    text(`PICKUP ${pickup.date}`, right, 31, { size: 8, align: "right", max: 90 }),
    rule(43),
  ];
}

function pro({ pro_number }: FreightDocuments): Mark[] {
  if (pro_number === null) {
    return [
      ...frame({ x: margin + 2, y: 50, width: width - 4, height: 76 }),
      text("PRO", margin + 8, 55, { size: 11, bold: true, max: 40 }),
      text("Put the carrier's PRO label here", labelSheet.width / 2, 83, {
        size: 9,
        align: "center",
        max: width - 20,
      }),
      rule(132),
    ];
  }
  return [
    text("PRO", margin, 50, { size: 9, bold: true, max: 30 }),
    text(pro_number, labelSheet.width / 2, 47, {
      size: 15,
      bold: true,
      align: "center",
      max: width - 60,
    }),
    ...barcode(pro_number, { x: margin, y: 67, width, height: 60 }),
    rule(132),
  ];
}

function sender({ ship_from }: FreightDocuments): Mark[] {
  const size = 6.8;
  const words = addressLines(ship_from).slice(0, 5);
  return [
    text("FROM", margin, 137, { size: 7, bold: true, max: 30 }),
    ...lines(words, { x: margin + 34, y: 137, width: width - 34, size }),
    rule(180),
  ];
}

/** Large enough for a forklift driver to read from the seat. */
function recipient({ ship_to }: FreightDocuments): Mark[] {
  const all = addressLines(ship_to);
  const street = all.slice(1, -1);
  const x = margin + 34;
  return [
    text("SHIP TO", margin, 187, { size: 7.5, bold: true, max: 32 }),
    text(all[0]!, x, 184, { size: 17, bold: true, max: width - 34 }),
    ...lines(street, { x, y: 204, width: width - 34, size: street.length > 2 ? 9.5 : 12 }),
    text(cityLine(ship_to), x, 239, { size: 15, bold: true, max: width - 34 }),
    rule(260),
  ];
}

function place({ bol_number, references }: FreightDocuments, { place, count }: Labelled): Mark[] {
  const half = width / 2 - 6;
  return [
    text("UNIT", margin, 265, { size: 7.5, bold: true, max: 40 }),
    text(`${place} of ${count}`, margin, 273, { size: 30, bold: true, max: half }),
    text("BOL NUMBER", right, 265, { size: 7.5, bold: true, align: "right", max: half }),
    text(bol_number, right, 274, { size: 13, bold: true, align: "right", max: half }),
    text(references[0] ? `REF ${references[0].number}` : "", right, 292, {
      size: 8,
      align: "right",
      max: half,
    }),
    rule(308),
  ];
}

function freight(facts: FreightDocuments, unit: HandlingUnit): Mark[] {
  const size = 7.5;
  const words = atMost(2, unit.description, { size, width });
  const warmth = accessorialsOf(facts).includes("protect_from_freeze");
  const warnings = [
    ...(unit.hazmat ? ["HAZARDOUS"] : []),
    ...(warmth ? ["PROTECT FROM FREEZING"] : []),
    ...(unit.stackable ? [] : ["DO NOT STACK"]),
  ].join("  ·  ");
  return [
    text(`CLASS ${unit.freight_class}`, margin, 312, { size: 12, bold: true, max: 90 }),
    text(weightWords(unitWeight(unit)), right, 312, {
      size: 12,
      bold: true,
      align: "right",
      max: 170,
    }),
    text(
      `${unit.type.toUpperCase()}  ${sizeWords(unit)}${unit.nmfc_code ? `  NMFC ${unit.nmfc_code}` : ""}`,
      margin,
      327,
      { size: 8, max: width },
    ),
    ...lines(words, { x: margin, y: 338, width, size }),
    ...(warnings
      ? [
          box(margin, 341 + 2 * size * leading, width, 16),
          text(warnings, labelSheet.width / 2, 344 + 2 * size * leading, {
            size: 10,
            bold: true,
            white: true,
            align: "center",
            max: width - 8,
          }),
        ]
      : []),
  ];
}

/** The unit's own number, short enough to read out and scan. */
function unitNumber(bolNumber: string, place: number): string {
  return `${bolNumber}-${String(place).padStart(3, "0")}`;
}

function unitCode({ bol_number }: FreightDocuments, { place }: Labelled): Mark[] {
  const number = unitNumber(bol_number, place);
  return [
    ...barcode(number, { x: margin, y: 382, width, height: 32 }),
    text(number, labelSheet.width / 2, 417, { size: 8, align: "center", max: width }),
  ];
}
