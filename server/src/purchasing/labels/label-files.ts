import type { CarrierLabel, LabelFile, LabelFormat, Sighting } from "../../carriers/carrier.ts";
import { isCompleteFile } from "../../domain/shipments/label-file.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";

/** The files that a carrier sends with a label. */

/** Those that are printed as the label; none while they are pending. */
export function labelFilesOf({ files }: Pick<CarrierLabel, "files">): LabelFile[] {
  return files === "pending" ? [] : files.filter(isLabelWithBytes);
}

/** An operator who found the label on the carrier's site may have no file of it; a booking has none. */
function isLabelWithBytes({ type, bytes }: LabelFile): boolean {
  return type === "label" && bytes.length > 0;
}

/** The format of the label, which will be the requested one while it is pending; null without a file. */
export function formatOf(
  { label_format }: LabelPurchaseInput,
  label: Pick<CarrierLabel, "files">,
): LabelFormat | null {
  if (label.files === "pending") return label_format;
  return labelFilesOf(label)[0]?.format ?? null;
}

/** A label as its purchase or a lookup reports it. */
export interface SoldLabel extends Omit<CarrierLabel, "package_tracking_codes"> {
  /** Null where the carrier shows only the first package's. */
  package_tracking_codes: string[] | null;
}

/**
 * A label that a lookup found, as its purchase would have been answered. One whose file the carrier no longer
 * has is as one without a readable file.
 */
export function soldAs(found: Sighting, pieces: number): SoldLabel {
  const { state: _live, cancellation: _none, ...label } = found;
  const { files, package_tracking_codes: codes, tracking_code } = label;
  return {
    ...label,
    package_tracking_codes: codes ?? (pieces === 1 ? [tracking_code] : null),
    files: files === "fetch" ? "pending" : files === "lost" ? [] : files,
  };
}

/** What a lookup found, with what only the answer to the purchase has told. */
export function completed(found: SoldLabel, answered: SoldLabel): SoldLabel {
  return {
    ...found,
    package_tracking_codes: found.package_tracking_codes ?? answered.package_tracking_codes,
    cost: found.cost ?? answered.cost,
    carrier_data: found.carrier_data ?? answered.carrier_data,
  };
}

/** Whether the bytes are a complete file of that format. */
export function isLabelFile({ format, bytes }: Pick<LabelFile, "format" | "bytes">): boolean {
  return isCompleteFile(format, bytes);
}
