import { createHash } from "node:crypto";
import { isPlain } from "./fonts.ts";
import type { Page } from "./marks.ts";
import { packed, stampBox, type Pen, type Stamp } from "./pen.ts";
import { putMark } from "./put-mark.ts";

/**
 * PDF without PDFKit (ISO 32000-1, 7.5), for pages whose letters are all the printer's own, as nearly
 * every label's are. PDFKit sets up more for a document, and takes it down again, than it costs to
 * draw a label.
 */

export interface PdfInfo {
  title: string;
  producer: string;
  made_at: Date;
}

/** Whether a page needs none of the fonts that a file would have to carry. */
export function isPlainPage({ marks }: Page): boolean {
  return marks.every((mark) => mark.mark !== "text" || isPlain(mark.text));
}

/** Plain pages as a file. */
export function plainPdf(pages: readonly Page[], info: PdfInfo): Buffer {
  const file = newFile();
  const tree = file.reserve();
  const once = onceEach();
  const kids = pages.map((page) => writePage(file, { page, tree, once }));
  file.write(`<</Type/Pages/Count ${kids.length}/Kids[${kids.join(" ")}]>>`, tree);
  return file.end({
    root: file.write(`<</Type/Catalog/Pages ${tree}>>`),
    info: file.write(
      `<</Title${words(info.title)}/Producer${words(info.producer)}/Creator${words("Waybill")}/CreationDate${day(info.made_at)}>>`,
    ),
  });
}

/** Writes what pages share when the first of them needs it. */
type Once = (name: string, write: () => string) => string;

function onceEach(): Once {
  const written = new Map<string, string>();
  return (name, write) => {
    if (!written.has(name)) written.set(name, write());
    return written.get(name)!;
  };
}

function writePage(
  file: PdfFile,
  { page, tree, once }: { page: Page; tree: string; once: Once },
): string {
  const { width, height } = page.paper;
  // From the top left, as marks are, and not from the bottom.
  const written = [`1 0 0 -1 0 ${height} cm`];
  const fonts = new Map<string, string>();
  const stamps = new Map<string, string>();
  const pen: Pen = {
    write: (operators) => void written.push(operators),
    use: ({ name }) =>
      void fonts.set(
        name,
        once(name, () => file.write(standardFont(name))),
      ),
    carry: (stamp) =>
      void stamps.set(
        stamp.name,
        once(stamp.name, () => writeStamp(file, stamp)),
      ),
    document() {
      throw new Error("a plain page has no letters but the printer's own");
    },
  };
  for (const mark of page.marks) putMark(pen, mark);
  const operators = packed(Buffer.from(written.join("\n"), "latin1"));
  const content = file.writeStream("/Filter/FlateDecode", operators);
  const resources = `<</Font${dictionary(fonts)}/XObject${dictionary(stamps)}>>`;
  return file.write(
    `<</Type/Page/Parent ${tree}/MediaBox[0 0 ${width} ${height}]/Contents ${content}/Resources${resources}>>`,
  );
}

function dictionary(entries: ReadonlyMap<string, string>): string {
  return `<<${Array.from(entries, ([name, value]) => `/${name} ${value}`).join("")}>>`;
}

function writeStamp(file: PdfFile, stamp: Stamp): string {
  const about = `/Type/XObject/Subtype/Form/BBox[${stampBox(stamp).join(" ")}]`;
  return file.writeStream(about, Buffer.from(stamp.operators, "latin1"));
}

function standardFont(name: string): string {
  return `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
}

/** Any text, in the only one of PDF's encodings that has all letters. */
function words(text: string): string {
  return `<${Buffer.from(`\ufeff${text}`, "utf16le").swap16().toString("hex")}>`;
}

function day(at: Date): string {
  return `(D:${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z)`;
}

/** The objects of a file one after the other, and at its end where each begins. */
interface PdfFile {
  /** The name of an object that is written after those that name it. */
  reserve(): string;
  /** Writes an object, under a name of its own or one that was reserved, which it returns. */
  write(object: string, name?: string): string;
  /** Writes bytes, with what is to be said about them. */
  writeStream(about: string, content: Buffer): string;
  /** The whole file. Its id follows from what is in it. */
  end(names: { root: string; info: string }): Buffer;
}

function newFile(): PdfFile {
  const parts: Buffer[] = [];
  const starts: number[] = [];
  let size = 0;

  function append(bytes: Buffer): void {
    parts.push(bytes);
    size += bytes.length;
  }

  function reserve(): string {
    starts.push(0);
    return `${starts.length} 0 R`;
  }

  function begin(name: string): string {
    const number = Number.parseInt(name, 10);
    starts[number - 1] = size;
    return `${number} 0 obj\n`;
  }

  const text = (written: string) => append(Buffer.from(written, "latin1"));
  // The second line says that what follows is no text (7.5.2).
  text("%PDF-1.4\n%\xff\xff\xff\xff\n");
  return {
    reserve,
    write(object, name = reserve()) {
      text(`${begin(name)}${object}\nendobj\n`);
      return name;
    },
    writeStream(about, content) {
      const name = reserve();
      text(`${begin(name)}<<${about}/Length ${content.length}>>\nstream\n`);
      append(content);
      text("\nendstream\nendobj\n");
      return name;
    },
    end({ root, info }) {
      const id = createHash("md5");
      for (const part of parts) id.update(part);
      const twice = `<${id.digest("hex")}>`.repeat(2);
      const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`);
      const count = starts.length + 1;
      const trailer = `<</Size ${count}/Root ${root}/Info ${info}/ID[${twice}]>>`;
      text(
        `xref\n0 ${count}\n0000000000 65535 f \n${table.join("")}trailer\n${trailer}\nstartxref\n${size}\n%%EOF\n`,
      );
      return Buffer.concat(parts);
    },
  };
}
