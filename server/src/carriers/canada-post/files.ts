import type { HttpAnswer } from "../../transport/http-call.ts";
import { formatOfFile } from "../../domain/shipments/label-file.ts";
import { CarrierError, type CallContext, type LabelFile } from "../carrier.ts";
import { badAnswer, classify } from "../protocol/classify.ts";
import type { PostClient } from "./client.ts";
import { errorTable } from "./errors.ts";
import type { Link } from "./shipments.ts";

/** The files behind a shipment's links: a call each, which may come too early. */

interface FileLinks {
  label?: Link;
  commercialInvoice?: Link;
}

/** Throws a `CarrierError` while one of them is not there, or where the label has no link. */
export async function filesBehind(
  { label, commercialInvoice }: FileLinks,
  call: { client: PostClient; context: CallContext; signal: AbortSignal },
): Promise<LabelFile[]> {
  if (!label) throw notThereYet();
  const links = [
    { type: "label", link: label },
    ...(commercialInvoice
      ? [{ type: "commercial_invoice", link: commercialInvoice } as const]
      : []),
  ] as const;
  return Promise.all(
    links.map(async ({ type, link }) => ({
      type,
      package_index: type === "label" ? 0 : null,
      ...(await artifact(link, call)),
    })),
  );
}

const fileTimeoutMs = 10_000;

/** One file, as a manifest's is. */
export async function artifact(
  link: Link,
  { client, ...call }: { client: PostClient; context: CallContext; signal: AbortSignal },
): Promise<Pick<LabelFile, "format" | "bytes">> {
  return fromArtifact(
    await client.call({
      method: "GET",
      to: link,
      media_type: "application/pdf",
      timeout_ms: fileTimeoutMs,
      ...call,
    }),
  );
}

/** Status 202 is what Canada Post answers while it draws the file. Half of one is asked for again, too. */
function fromArtifact(answer: HttpAnswer): Pick<LabelFile, "format" | "bytes"> {
  if (answer.status === 202) throw notThereYet();
  if (answer.status !== 200) throw classify(errorTable, answer);
  const format = formatOfFile(answer.bytes);
  if (format === null) throw badAnswer(errorTable);
  return { format, bytes: answer.bytes };
}

function notThereYet(): CarrierError {
  return new CarrierError({
    kind: "unknown",
    carrier: errorTable.carrier,
    carrier_code: "file_not_ready",
    message: "Canada Post has not drawn the label yet.",
  });
}
