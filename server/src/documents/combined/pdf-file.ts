import { createHash } from "node:crypto";
import { PDFRef, type PDFObject } from "@cantoo/pdf-lib";

/**
 * A PDF that is written object by object, so that only its bytes stay in memory, however many pages
 * it gets. Equal objects are written once.
 */
export interface PdfFile {
  /** A number for an object that others refer to before it can be written. */
  reserve(): PDFRef;
  write(ref: PDFRef, object: PDFObject): void;
  /** Writes the object, unless one of the same bytes is in the file already. */
  keep(object: PDFObject): PDFRef;
  /** The whole file, whose catalogue is `root`. */
  finish(root: PDFRef): Buffer;
}

export function startPdf(): PdfFile {
  /** Where each object starts, by its number less one; null while it is only reserved. */
  const offsets: (number | null)[] = [];
  const known = new Map<string, PDFRef>();
  const { put, whole, length } = startBytes();

  const reserve = () => {
    offsets.push(null);
    return PDFRef.of(offsets.length);
  };
  const writeBytes = ({ objectNumber }: PDFRef, body: Buffer) => {
    offsets[objectNumber - 1] = length();
    put(Buffer.from(`${objectNumber} 0 obj\n`));
    put(body);
    put(endOfObject);
  };
  // The four bytes over 127 tell programs that this is no text (ISO 32000-1, 7.5.2).
  put(Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));

  return {
    reserve,
    write: (ref, object) => writeBytes(ref, bytesOf(object)),
    keep(object) {
      const body = bytesOf(object);
      const digest = createHash("sha256").update(body).digest("base64");
      let ref = known.get(digest);
      if (!ref) {
        known.set(digest, (ref = reserve()));
        writeBytes(ref, body);
      }
      return ref;
    },
    finish(root) {
      const start = length();
      put(crossReferences(offsets));
      const trailer = `trailer\n<< /Size ${offsets.length + 1} /Root ${root.toString()} >>\n`;
      put(Buffer.from(`${trailer}startxref\n${start}\n%%EOF\n`));
      return whole();
    },
  };
}

const blockBytes = 1 << 20;

/** Bytes that grow in blocks: to keep each small slice would keep the buffer that it was cut from. */
function startBytes() {
  const blocks: Buffer[] = [];
  let used = blockBytes;
  return {
    length: () => (blocks.length - 1) * blockBytes + used,
    put(bytes: Buffer) {
      for (let from = 0; from < bytes.length;) {
        if (used === blockBytes) {
          blocks.push(Buffer.allocUnsafeSlow(blockBytes));
          used = 0;
        }
        const copied = bytes.copy(blocks.at(-1)!, used, from);
        from += copied;
        used += copied;
      }
    },
    whole: () => Buffer.concat(blocks, (blocks.length - 1) * blockBytes + used),
  };
}

const endOfObject = Buffer.from("\nendobj\n");

function bytesOf(object: PDFObject): Buffer {
  const bytes = Buffer.alloc(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return bytes;
}

/** Twenty bytes an object; one that was reserved and never written is marked as free. */
function crossReferences(offsets: readonly (number | null)[]): Buffer {
  const lines = offsets.map((offset) =>
    offset === null ? "0000000000 00001 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`,
  );
  const head = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`;
  return Buffer.from(head + lines.join(""));
}
