import { once } from "node:events";

/** The document of a manifest: the tracking codes that are on it, line by line. */
export async function printManifest({
  name,
  made_at,
  codes,
}: {
  name: string;
  made_at: string;
  codes: readonly string[];
}): Promise<Buffer> {
  const { default: PDFDocument } = await import("pdfkit");
  const document = new PDFDocument({ size: "letter", info: { CreationDate: new Date(made_at) } });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  document.fontSize(16).text(`${name}: manifest of ${made_at.slice(0, 10)}`);
  document.fontSize(10).text(`${codes.length} packages`);
  for (const code of codes) document.text(code);
  document.end();
  await once(document, "end");
  return Buffer.concat(chunks);
}
