import type { Address } from "../../../domain/addresses/address.ts";
import { box, labelSheet as sheet, type Mark } from "../../../drawing/marks.ts";
import { text as fitted, type TextOptions } from "../../../drawing/text.ts";
import { courierOf } from "../carriers/carriers.ts";
import type { LabelStyle } from "../carriers/profile.ts";
import type { LabelContent, LabelPackage } from "./label-content.ts";

/**
 * The position of everything on a label, from top to bottom: class block and carrier, sender,
 * recipient, routing with the two-dimensional code, service banner, tracking barcode, references.
 */

const margin = 9;
const right = sheet.width - margin;
const width = right - margin;

/** The marks of one package's label. */
export function layOut(content: LabelContent, index: number): Mark[] {
  const style = courierOf(content.carrier.code).label;
  const parcel = content.packages[index]!;
  return [
    ...header(content, style, index),
    ...sender(content, style),
    ...recipient(content, style),
    ...routing(content, style, parcel),
    ...banner(content, style),
    ...tracking(style, parcel),
    ...footer(content),
  ];
}

function header(content: LabelContent, style: LabelStyle, index: number): Mark[] {
  const { packages, ship_date } = content;
  const kilograms = packages[index]!.weight_grams / 1000;
  const pounds = packages[index]!.weight_grams / 453.59237;
  return [
    box(margin, margin, 48, 44),
    text(style.block(content.service.name), margin + 24, margin + 6, {
      size: 32,
      bold: true,
      align: "center",
      white: true,
      max: 44,
    }),
    text(style.name, 64, margin + 2, { size: 14, bold: true, max: 138 }),
    text(`${kilograms.toFixed(2)} KG   ${pounds.toFixed(1)} LBS`, right, margin + 2, {
      size: 8,
      bold: true,
      align: "right",
    }),
    text(`${index + 1} OF ${packages.length}`, right, margin + 13, {
      size: 11,
      bold: true,
      align: "right",
    }),
    text(`SHIP DATE ${ship_date}`, 64, margin + 22, { size: 7 }),
    text(content.is_return ? "RETURN LABEL" : "BILLING: P/P", 64, margin + 32, { size: 7 }),
    text(addOnLine(content), right, margin + 32, { size: 7, bold: true, align: "right", max: 120 }),
    rule(58),
  ];
}

function addOnLine({ add_ons, crosses_border }: LabelContent): string {
  const words = add_ons.map((code) => code.replace(/_/g, " ").toUpperCase());
  return [...(crosses_border ? ["CUSTOMS ENCLOSED"] : []), ...words].join(" · ");
}

function sender({ from }: LabelContent, style: LabelStyle): Mark[] {
  const lines = addressLines(from);
  return [
    text(style.from, margin, 63, { size: 6.5, bold: true }),
    ...lines
      .slice(0, 6)
      .map((line, place) =>
        text(line, margin + 44, 61 + place * 7.4, { size: 6.6, max: width - 44 }),
      ),
    rule(106),
  ];
}

function recipient({ to }: LabelContent, style: LabelStyle): Mark[] {
  const lines = addressLines(to);
  return [
    text(style.to, margin, 111, { size: 7.5, bold: true }),
    ...lines.slice(0, 6).map((line, place) =>
      text(line, margin + 44, 111 + place * 13.4, {
        size: 11,
        bold: place === 0,
        max: width - 44,
      }),
    ),
    rule(196),
  ];
}

function routing(content: LabelContent, style: LabelStyle, parcel: LabelPackage): Mark[] {
  const { to, zone, service } = content;
  const { kind, width: symbolWidth, height } = style.symbol;
  const beside = margin + symbolWidth + 12;
  const place = [to.country_code, to.province_code].filter(Boolean).join(" ");
  return [
    {
      mark: "symbol",
      kind,
      x: margin,
      y: 203 + (59 - height) / 2,
      width: symbolWidth,
      height,
      text: symbolText(content, parcel),
    },
    text(routingCode(to), right, 203, {
      size: 30,
      bold: true,
      align: "right",
      max: right - beside,
    }),
    text(`${place}   ZONE ${zone ?? "-"}`, right, 238, {
      size: 10,
      bold: true,
      align: "right",
      max: right - beside,
    }),
    text(service.code, right, 252, { size: 7, align: "right", max: right - beside }),
    rule(268),
  ];
}

/** The text for the sorting machine: sender's service, destination, parcel. */
function symbolText({ to, service, ship_date }: LabelContent, parcel: LabelPackage): string {
  const fields = [
    parcel.tracking_code,
    to.postal_code ?? "",
    to.country_code,
    service.code,
    ship_date,
  ];
  return fields.join("|").replace(/[^\x20-\x7e]/g, "");
}

/** The part of the postal code that decides the depot: a forward sortation area, a ZIP, or the country. */
function routingCode({ country_code, postal_code }: Address): string {
  if (!postal_code) return country_code;
  return country_code === "CA" ? postal_code.slice(0, 3) : postal_code.split("-")[0]!;
}

function banner(content: LabelContent, style: LabelStyle): Mark[] {
  const words = style.banner(content.service.name).toUpperCase();
  return [
    box(margin, 273, width, 22),
    text(words, sheet.width / 2, 277, {
      size: 14,
      bold: true,
      align: "center",
      white: true,
      max: width - 10,
    }),
  ];
}

function tracking(style: LabelStyle, { tracking_code }: LabelPackage): Mark[] {
  return [
    text(`${style.tracking} ${inGroups(tracking_code)}`, sheet.width / 2, 300, {
      size: 11,
      bold: true,
      align: "center",
      max: width,
    }),
    { mark: "code128", x: margin + 9, y: 317, width: width - 18, height: 66, text: tracking_code },
    rule(390),
  ];
}

/** Groups of four are easy to read out over a telephone. */
function inGroups(code: string): string {
  return code.replace(/(.{4})(?=.)/g, "$1 ");
}

function footer({ reference, ship_code }: LabelContent): Mark[] {
  return [
    text(`REF ${reference ?? "-"}`, margin, 394, { size: 7.5, max: 180 }),
    text(ship_code, right, 394, { size: 7.5, bold: true, align: "right", max: 80 }),
    text("SAMPLE: SIMULATED CARRIER, NOT VALID FOR SHIPPING", sheet.width / 2, 412, {
      size: 6.5,
      align: "center",
      max: width,
    }),
  ];
}

function addressLines(address: Address): string[] {
  const {
    name,
    company,
    address1,
    address2,
    city,
    province_code,
    postal_code,
    country_code,
    phone,
  } = address;
  const named = company === name ? [name] : [name, company];
  const place = `${city} ${province_code ?? ""}  ${postal_code ?? ""}`;
  return [
    ...named,
    address1,
    address2,
    place,
    [country_code, phone].filter(Boolean).join("   "),
  ].filter((line): line is string => Boolean(line));
}

function text(
  words: string,
  x: number,
  y: number,
  options: Omit<TextOptions, "max"> & { max?: number },
): Mark {
  return fitted(words, x, y, { max: width, ...options });
}

function rule(y: number): Mark {
  return box(margin, y, width, 1.2);
}
