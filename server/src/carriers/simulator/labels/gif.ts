import type { GreyPicture } from "../../../drawing/grey-png.ts";

export const gifDotsPerInch = 200;

/**
 * A label's picture as UPS sends it: a GIF of 1400 by 800 dots, rotated by 90 degrees, the last inch blank. Of a label of
 * four by six inches.
 */
export function rotatedGif(label: GreyPicture): Buffer {
  return encode(rotatedIndexes(label), picture.width, picture.height);
}

const picture = { width: 1_400, height: 800 };

/** For each dot of the picture 1 where it is white: the label's top is at the left. */
function rotatedIndexes({ width, height, dots }: GreyPicture): Buffer {
  const indexes = Buffer.alloc(picture.width * picture.height, 1);
  for (let row = 0, from = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1, from += 1)
      if (dots[from]! <= 127) indexes[(width - 1 - column) * picture.width + row] = 0;
  return indexes;
}

/** A GIF of black and white (GIF89a). */
function encode(indexes: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from("GIF89a0000000000000", "latin1");
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  // A table of two colours: black and white.
  header.set([0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff], 10);
  const place = Buffer.alloc(11);
  place[0] = 0x2c;
  place.writeUInt16LE(width, 5);
  place.writeUInt16LE(height, 7);
  place[10] = minimumCodeSize;
  const blocks = inBlocks(compressed(indexes));
  return Buffer.concat([header, place, blocks, Buffer.from([0, 0x3b])]);
}

const minimumCodeSize = 2;
const clearCode = 1 << minimumCodeSize;
const endCode = clearCode + 1;
const codesMost = 4_096;

/** LZW with codes of growing width, as GIF has it. */
function compressed(indexes: Buffer): Buffer {
  const out: number[] = [];
  let bits = 0;
  let held = 0;
  let width = minimumCodeSize + 1;
  let next = endCode + 1;
  // The code of what a known code and a colour make; 0, which is no such code, where that is not known yet.
  const known = new Uint16Array(codesMost * 2);
  const emit = (code: number) => {
    held |= code << bits;
    bits += width;
    for (; bits >= 8; bits -= 8) {
      out.push(held & 0xff);
      held >>>= 8;
    }
  };
  emit(clearCode);
  let prefix = indexes[0]!;
  for (let at = 1; at < indexes.length; at += 1) {
    const index = indexes[at]!;
    const key = (prefix << 1) | index;
    const code = known[key]!;
    if (code !== 0) {
      prefix = code;
      continue;
    }
    emit(prefix);
    prefix = index;
    if (next === codesMost) {
      emit(clearCode);
      known.fill(0);
      width = minimumCodeSize + 1;
      next = endCode + 1;
      continue;
    }
    if (next === 1 << width) width += 1;
    known[key] = next;
    next += 1;
  }
  emit(prefix);
  emit(endCode);
  if (bits > 0) out.push(held & 0xff);
  return Buffer.from(out);
}

function inBlocks(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat(blocks);
}
