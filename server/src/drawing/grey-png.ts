import { crc32, deflateSync } from "node:zlib";

/** A picture in shades of grey: a byte for each dot, from black to white, rows from the top. */
export interface GreyPicture {
  width: number;
  height: number;
  dots: Uint8Array;
}

/** Pictures below each other as one PNG, on white, that says how many dots an inch it is printed with. */
export function greyPng(pictures: readonly GreyPicture[], dotsPerInch: number): Buffer {
  const width = Math.max(...pictures.map((picture) => picture.width));
  const height = pictures.reduce((sum, picture) => sum + picture.height, 0);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // The other bytes of the head are 0: shades of grey, no interlacing.
  head.writeUInt8(bitsPerDot, 8);
  const resolution = Buffer.alloc(9);
  const dotsPerMetre = Math.round(dotsPerInch / metresPerInch);
  resolution.writeUInt32BE(dotsPerMetre, 0);
  resolution.writeUInt32BE(dotsPerMetre, 4);
  resolution.writeUInt8(unitMetre, 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("pHYs", resolution),
    chunk("IDAT", deflateSync(rowsOf(pictures, { width, height }))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Each row begins with its filter, which is none. */
function rowsOf(
  pictures: readonly GreyPicture[],
  { width, height }: { width: number; height: number },
): Buffer {
  const rows = Buffer.alloc(height * (width + 1), white);
  let at = 0;
  for (const picture of pictures) {
    for (let row = 0; row < picture.height; row++, at += width + 1) {
      rows[at] = noFilter;
      rows.set(picture.dots.subarray(row * picture.width, (row + 1) * picture.width), at + 1);
    }
  }
  return rows;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const bitsPerDot = 8;
const white = 0xff;
const noFilter = 0;
const metresPerInch = 0.0254;
const unitMetre = 1;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/**
 * The first dot at or after `from` that is not white; `end` where there is none before it. Most of a label is white: four
 * dots are passed over at a time. `words` are those of the dots, from `wordsOf`.
 */
export function nextInk(
  dots: Uint8Array,
  words: Int32Array,
  { from, end }: { from: number; end: number },
): number {
  const wholeWords = Math.min(end, words.length << 2);
  let at = from;
  while (at < end) {
    if ((at & 3) === 0) {
      while (at < wholeWords && words[at >> 2] === fourWhite) at += 4;
      if (at >= end) return end;
    }
    if (dots[at] !== white) return at;
    at += 1;
  }
  return end;
}

const fourWhite = -1;

/** The same memory, four dots a word; none for dots that do not begin at a word's edge. */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  return byteOffset % 4 === 0 ? new Int32Array(buffer, byteOffset, length >> 2) : new Int32Array(0);
}
