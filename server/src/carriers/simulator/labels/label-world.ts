import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "../../../drawing/barcode.ts";
import { trackingCode } from "../tracking-codes.ts";
import type { LabelContent } from "./label-content.ts";

/** Labels to try things on, and the printer that their tests share. */

export const carriers = ["canada_post", "purolator", "ups", "fedex", "usps"];

export const address = {
  name: "Jordan Lee",
  company: null,
  address1: "200 Bay St",
  address2: "Suite 3100",
  city: "Toronto",
  province_code: "ON",
  postal_code: "M5J 2J1",
  country_code: "CA",
  phone: "+1 416 555 0199",
  email: null,
  is_residential: false,
  tax_identifier: null,
};

export function contentOf(
  carrier: string,
  count: number,
  change: Partial<LabelContent> = {},
): LabelContent {
  return {
    carrier: { code: carrier, name: carrier },
    service: { code: "EXP", name: "Expedited Parcel" },
    from: address,
    to: { ...address, name: "Alex Kim", address1: "1250 rue Sherbrooke O", postal_code: "H3G 1H9" },
    packages: Array.from({ length: count }, (_, index) => ({
      tracking_code: trackingCode(carrier, "labels", index + 1),
      weight_grams: 1250 + index,
    })),
    ship_date: "2026-11-21",
    ship_code: "SH4K7Q2M",
    reference: "PO-10023",
    is_return: false,
    crosses_border: false,
    add_ons: ["signature"],
    zone: "4",
    ...change,
  };
}

export const codesOf = ({ packages }: LabelContent) => packages.map((each) => each.tracking_code);

export function has(tool: string, flag: string): boolean {
  try {
    execFileSync(tool, [flag], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
export function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "waybill-label-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether there is nothing here that prints a PDF. */
export const noPrinter = !has("pdftoppm", "-v");

/** Each page of a PDF, or a place on it, as PNG: as a label printer of 203 dots an inch prints it. */
export function printed(pdf: Buffer, place?: Place): Buffer[] {
  const dots = (points: number) => String(Math.round((points / 72) * 203));
  const part = place
    ? ["-x", dots(place.x), "-y", dots(place.y), "-W", dots(place.width), "-H", dots(place.height)]
    : [];
  return inFolder((folder) => {
    writeFileSync(join(folder, "label.pdf"), pdf);
    const options = ["-r", "203", "-png", ...part];
    execFileSync("pdftoppm", [...options, "label.pdf", "page"], { cwd: folder });
    const pages = readdirSync(folder).filter((name) => name.endsWith(".png"));
    return pages.sort().map((page) => readFileSync(join(folder, page)));
  });
}
