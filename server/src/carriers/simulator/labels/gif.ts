import { nextInk, wordsOf, type GreyPicture } from "../../../drawing/grey-png.ts";

export const gifDotsPerInch = 200;

/**
 * A label's picture as UPS sends it: a GIF of 1400 by 800 dots, rotated by 90 degrees, the last inch blank. Of a label of
 * four by six inches.
 */
export function rotatedGif(label: GreyPicture): Buffer {
  return encode(rotatedIndexes(label), picture.width, picture.height);
}

const picture = { width: 1_400, height: 800 };

/**
 * Used for each picture, as the bytes of `codeWriter`: memory of this size that is allocated for each label made the
 * garbage collector the largest part of its cost.
 */
const keptIndexes = Buffer.alloc(picture.width * picture.height);

/** For each dot of the picture 1 where it is white: the label's top is at the left. */
function rotatedIndexes({ width, height, dots }: GreyPicture): Buffer {
  const indexes = keptIndexes.fill(1);
  const words = wordsOf(dots);
  for (let row = 0; row < height; row += 1) {
    const start = row * width;
    const end = start + width;
    let at = nextInk(dots, words, { from: start, end });
    while (at < end) {
      if (dots[at]! <= 127) indexes[(width - 1 - at + start) * picture.width + row] = 0;
      at = nextInk(dots, words, { from: at + 1, end });
    }
  }
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

/**
 * LZW with codes of growing width, as GIF has it. A text mostly begins with one colour for a while: the longest run that
 * has a code is taken at once, and the rest dot by dot.
 */
function compressed(indexes: Buffer): Buffer {
  const writer = codeWriter();
  // The code of what a known code and a colour make; 0, which is no such code, where that is not known yet.
  const known = new Uint16Array(codesMost * 2);
  const runs = [startedRuns(0), startedRuns(1)] as const;
  let next = endCode + 1;
  writer.clear();
  for (let at = 0, runEnd = 0; at < indexes.length;) {
    const colour = indexes[at]!;
    if (at >= runEnd) runEnd = endOfRun(indexes, at);
    const codes = runs[colour as 0 | 1];
    const ran = Math.min(runEnd - at, codes.length - 1);
    let prefix = codes[ran]!;
    let isRun = true;
    at += ran;
    for (; at < indexes.length; at += 1) {
      const code = known[(prefix << 1) | indexes[at]!]!;
      if (code === 0) break;
      prefix = code;
      isRun = false;
    }
    writer.emit(prefix);
    if (at === indexes.length) break;
    if (next === codesMost) {
      writer.clear();
      known.fill(0);
      for (const each of runs) each.length = 2;
      next = endCode + 1;
      continue;
    }
    writer.makeRoomFor(next);
    known[(prefix << 1) | indexes[at]!] = next;
    if (isRun && indexes[at] === colour) codes.push(next);
    next += 1;
  }
  return writer.end();
}

/** By its length, the code of a run of one colour: at first of a single dot. */
function startedRuns(colour: 0 | 1): number[] {
  return [0, colour];
}

/** Searching is native, and costs as much as some ten steps: it is for the runs that are longer. */
function endOfRun(indexes: Buffer, start: number): number {
  const colour = indexes[start]!;
  const near = Math.min(indexes.length, start + 12);
  for (let at = start + 1; at < near; at += 1) if (indexes[at] !== colour) return at;
  const end = indexes.indexOf(1 - colour, near);
  return end === -1 ? indexes.length : end;
}

/** No code is longer than twelve bits, and none but a few says less than a dot. */
const codeBytes = Buffer.alloc(keptIndexes.length * 2);

/** Codes as bytes, the lowest bits first. What it ends with is valid until the next one is used. */
function codeWriter() {
  let length = 0;
  let bits = 0;
  let held = 0;
  let width = minimumCodeSize + 1;
  const emit = (code: number) => {
    held |= code << bits;
    bits += width;
    for (; bits >= 8; bits -= 8) {
      codeBytes[length++] = held & 0xff;
      held >>>= 8;
    }
  };
  return {
    emit,
    /** Codes begin anew. */
    clear() {
      emit(clearCode);
      width = minimumCodeSize + 1;
    },
    /** Before a code is added, which may be the first that is a bit longer. */
    makeRoomFor(code: number) {
      if (code === 1 << width) width += 1;
    },
    end() {
      emit(endCode);
      if (bits > 0) codeBytes[length++] = held & 0xff;
      return codeBytes.subarray(0, length);
    },
  };
}

function inBlocks(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat(blocks);
}
