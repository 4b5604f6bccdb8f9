import { isUtf8 } from "node:buffer";
import { badFile } from "./bad-file.ts";

/**
 * The text of a file that has to be UTF-8, piece by piece. Throws 422 for other contents, and names the
 * likely format: archives, workbooks, UTF-16, and the Windows encodings that old spreadsheets write.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let lines = 1;
  let isFirst = true;
  for await (const piece of bytes) {
    if (piece.length === 0) continue;
    if (isFirst) refuseOtherKinds(piece);
    isFirst = false;
    if (piece.includes(0))
      throw badFile("has NUL bytes: it is UTF-16 or no text. Save it as UTF-8.");
    const text = decoded(() => decoder.decode(piece, { stream: true }));
    if (text === null) throw notUtf8(lines + firstBadLine(piece));
    lines += text.split("\n").length - 1;
    yield text;
  }
  if (decoded(() => decoder.decode()) === null) throw notUtf8(lines);
}

function decoded(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

function notUtf8(line: number): Error {
  return badFile(
    `is not UTF-8 (line ${line}); it looks like Latin-1 or Windows-1252. Save it as UTF-8.`,
  );
}

/** The index among the piece's lines, from 0. The piece may begin in the middle of a character. */
function firstBadLine(piece: Uint8Array): number {
  let start = 0;
  while (start < 3 && (piece[start]! & 0xc0) === 0x80) start++;
  for (let line = 0; ; line++) {
    const end = piece.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(piece.subarray(start, end))) return line;
    start = end + 1;
  }
}

/** The first bytes of files of other kinds. */
const kinds: readonly (readonly [number[], string])[] = [
  [[0xff, 0xfe], "is UTF-16. Save it as UTF-8."],
  [[0xfe, 0xff], "is UTF-16. Save it as UTF-8."],
  [
    [0x50, 0x4b],
    "is a zip archive or an Excel workbook. Unpack it, or save the sheet as CSV (UTF-8).",
  ],
  [[0x1f, 0x8b], "is compressed with gzip. Unpack it."],
  [[0xd0, 0xcf, 0x11, 0xe0], "is an old Excel workbook. Save the sheet as CSV (UTF-8)."],
  [[0x25, 0x50, 0x44, 0x46], "is a PDF."],
];

function refuseOtherKinds(start: Uint8Array): void {
  for (const [magic, sentence] of kinds) {
    if (magic.every((byte, place) => start[place] === byte)) throw badFile(sentence);
  }
}
