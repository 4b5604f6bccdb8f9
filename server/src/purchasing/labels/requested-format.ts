import type { LabelFile, LabelFormat } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { asBuffer } from "../../threads/threads.ts";

/**
 * A label in the format that was requested. A carrier that has no PNG sends its PDF, and Waybill draws the picture of
 * it; a PDF or a ZPL file is made of nothing else.
 */

/** A picture takes a few hundredths of a second. With the documents of a shipment it is drawn before its settlement. */
const limits = { wait_ms: 4_000, limit_ms: 4_000 };

/** Whether a file in this format is, or can be made, one in the requested format. */
export function canBecome(format: LabelFormat, requested: LabelFormat): boolean {
  return format === requested || (format === "pdf" && requested === "png");
}

/**
 * The files, with the label in the requested format: the pages of several PDFs are one picture, below each other.
 * Throws `TaskAborted` where threads are busy or drawing takes too long, and an error for a PDF that cannot be drawn.
 */
export async function inRequestedFormat(
  { threads }: Pick<Platform, "threads">,
  {
    account_id,
    format,
    files,
  }: { account_id: string; format: LabelFormat; files: readonly LabelFile[] },
): Promise<LabelFile[]> {
  if (format !== "png") return [...files];
  const labels = files.filter(isPdfLabel);
  if (labels.length === 0) return [...files];
  const ordered = labels.toSorted((a, b) => (a.package_index ?? 0) - (b.package_index ?? 0));
  const pdfs = ordered.map(({ bytes }) => bytes);
  const drawn = await threads.run("label_picture", pdfs, { account_id, ...limits });
  const bytes = asBuffer(drawn);
  const picture: LabelFile = { type: "label", package_index: null, format, bytes };
  return [picture, ...files.filter((file) => !isPdfLabel(file))];
}

function isPdfLabel({ type, format, bytes }: LabelFile): boolean {
  return type === "label" && format === "pdf" && bytes.length > 0;
}
