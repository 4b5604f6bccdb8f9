import type { GreyPicture } from "../../drawing/grey-png.ts";

/**
 * The first picture of a GIF (GIF87a and GIF89a) in shades of grey, on white. Null for what is no GIF, is larger than
 * `dotsMax`, or ends before its last dot.
 */
export function readGif(gif: Buffer, dotsMax: number): GreyPicture | null {
  try {
    return new GifReader(gif, dotsMax).read();
  } catch (error) {
    // A read beyond the end, of a file that is not whole.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const white = 0xff;
const extension = 0x21;
const graphicControl = 0xf9;
const image = 0x2c;

class GifReader {
  readonly #gif: Buffer;
  readonly #dotsMax: number;
  #at = 0;
  #transparent: number | null = null;

  constructor(gif: Buffer, dotsMax: number) {
    this.#gif = gif;
    this.#dotsMax = dotsMax;
  }

  read(): GreyPicture | null {
    if (!/^GIF8[79]a$/.test(this.#gif.toString("latin1", 0, 6))) return null;
    this.#at = 6;
    const screen = { width: this.#number(), height: this.#number() };
    const flags = this.#byte();
    this.#at += 2;
    const colours = this.#colourTable(flags);
    for (;;) {
      const block = this.#byte();
      if (block === extension) this.#readExtension();
      else if (block === image) return this.#image(screen, colours);
      else return null;
    }
  }

  #byte(): number {
    return this.#gif.readUInt8(this.#at++);
  }

  #number(): number {
    this.#at += 2;
    return this.#gif.readUInt16LE(this.#at - 2);
  }

  /** The greys of the colours, white for those that the table lacks; null where the flags say that there is no table. */
  #colourTable(flags: number): Uint8Array | null {
    if ((flags & 0x80) === 0) return null;
    const greys = new Uint8Array(256).fill(white);
    const count = 2 << (flags & 7);
    for (let index = 0; index < count; index++) {
      const [red, green, blue] = [this.#byte(), this.#byte(), this.#byte()];
      // ITU-R BT.601: what of a colour is light.
      greys[index] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    }
    return greys;
  }

  #readExtension(): void {
    const label = this.#byte();
    const data = this.#blocks();
    if (label === graphicControl && (data.readUInt8(0) & 1) === 1)
      this.#transparent = data.readUInt8(3);
  }

  /** Blocks of up to 255 bytes, up to an empty one. */
  #blocks(): Buffer {
    const blocks: Buffer[] = [];
    for (let length = this.#byte(); length > 0; length = this.#byte()) {
      blocks.push(this.#gif.subarray(this.#at, this.#at + length));
      this.#at += length;
    }
    return Buffer.concat(blocks);
  }

  #image(
    screen: { width: number; height: number },
    screenColours: Uint8Array | null,
  ): GreyPicture | null {
    const [left, top, width, height] = [
      this.#number(),
      this.#number(),
      this.#number(),
      this.#number(),
    ];
    const flags = this.#byte();
    const greys = this.#colourTable(flags) ?? screenColours;
    // Some writers leave the size of the screen empty.
    const whole = {
      width: Math.max(screen.width, left + width),
      height: Math.max(screen.height, top + height),
    };
    if (greys === null || width * height === 0) return null;
    if (whole.width * whole.height > this.#dotsMax) return null;
    const codeBits = this.#byte();
    if (codeBits < 1 || codeBits > 8) return null;
    if (this.#transparent !== null) greys[this.#transparent] = white;
    const dots = unpacked(this.#blocks(), { codeBits, greys, length: width * height });
    if (dots === null) return null;
    const isInterlaced = (flags & 0x40) !== 0;
    const fillsScreen = width === whole.width && height === whole.height;
    if (fillsScreen && !isInterlaced) return { width, height, dots };
    const placed = new Uint8Array(whole.width * whole.height).fill(white);
    const rows = isInterlaced ? interlacedRows(height) : null;
    for (let row = 0; row < height; row++) {
      const to = (top + (rows?.[row] ?? row)) * whole.width + left;
      placed.set(dots.subarray(row * width, (row + 1) * width), to);
    }
    return { ...whole, dots: placed };
  }
}

/** The rows of an interlaced picture in the order of the file. */
function interlacedRows(height: number): number[] {
  const rows: number[] = [];
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let row = first; row < height; row += step) rows.push(row);
  return rows;
}

const codesMax = 4096;
const codeBitsMax = 12;

/**
 * GIF's LZW, as the greys of its colours. The text of each code stands in what is already unpacked, where the code before
 * it began: it is copied from there at once, which is many times quicker than dot by dot, and a colour is looked up once
 * for all its copies. Null where the codes make no sense, or too few dots.
 */
function unpacked(
  packed: Buffer,
  { codeBits, greys, length }: { codeBits: number; greys: Uint8Array; length: number },
): Uint8Array | null {
  const out = new Uint8Array(length);
  const clear = 1 << codeBits;
  const starts = new Uint32Array(codesMax);
  const lengths = new Uint32Array(codesMax);
  let bits = codeBits + 1;
  let next = clear + 2;
  /** Where the text of the last code begins, and its length; 0 after a clear code. */
  let start = 0;
  let size = 0;
  let at = 0;
  let held = 0;
  let heldBits = 0;
  for (const byte of packed) {
    held |= byte << heldBits;
    heldBits += 8;
    for (; heldBits >= bits;) {
      const code = held & ((1 << bits) - 1);
      held >>>= bits;
      heldBits -= bits;
      if (code === clear) {
        bits = codeBits + 1;
        next = clear + 2;
        size = 0;
        continue;
      }
      if (code === clear + 1) return at === length ? out : null;
      if (size > 0 && next < codesMax) {
        // What the last code was, and the first dot of this one.
        starts[next] = start;
        lengths[next] = size + 1;
        next += 1;
        if (next === 1 << bits && bits < codeBitsMax) bits += 1;
      }
      if (code > clear && code >= next) return null;
      const from = starts[code]!;
      const count = code < clear ? 1 : lengths[code]!;
      // Some writers fill the last byte with a code more.
      const end = Math.min(at + count, length);
      if (code < clear) out[at] = greys[code]!;
      else if (count <= shortText)
        for (let to = at, read = from; to < end; to++, read++) out[to] = out[read]!;
      else {
        out.copyWithin(at, from, from + end - at);
        // The text of a code that was added just now ends with its own first dot.
        if (from + count > at) out[end - 1] = out[from + end - 1 - at]!;
      }
      start = at;
      size = end - at;
      at = end;
      if (at === length) return out;
    }
  }
  return null;
}

/** Of more dots `copyWithin` is quicker than a loop. */
const shortText = 24;
