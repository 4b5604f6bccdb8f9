/** GIFs for tests. */

/** A picture and how its file is written: what is read back does not depend on it. */
export interface WrittenPicture {
  width: number;
  height: number;
  codeBits: number;
  indexes: number[];
  /** After so many codes the writer begins anew, as it may whenever it likes. */
  codesUntilClear: number;
  isInterlaced: boolean;
  left?: number;
  top?: number;
  transparent?: number;
}

/** Its greys are the colours of the same number. */
export function gifOf(picture: WrittenPicture): Buffer {
  const { width, height, codeBits, isInterlaced, left = 0, top = 0, transparent } = picture;
  const screen = Buffer.from("GIF89a0000000", "latin1");
  screen.writeUInt16LE(width + left, 6);
  screen.writeUInt16LE(height + top, 8);
  screen.set([0x80 | 7, 0, 0], 10);
  const colours = Buffer.from(
    Array.from({ length: 256 }, (_, index) => [index, index, index]).flat(),
  );
  const control =
    transparent === undefined
      ? Buffer.alloc(0)
      : Buffer.from([0x21, 0xf9, 4, 1, 0, 0, transparent, 0]);
  const place = Buffer.alloc(11);
  place[0] = 0x2c;
  for (const [at, number] of [left, top, width, height].entries())
    place.writeUInt16LE(number, 1 + 2 * at);
  place[9] = isInterlaced ? 0x40 : 0;
  place[10] = codeBits;
  const packed = lzw(isInterlaced ? interlaced(picture) : picture.indexes, picture);
  const blocks = [];
  for (let at = 0; at < packed.length; at += 255) {
    const block = packed.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([screen, colours, control, place, ...blocks, Buffer.from([0, 0x3b])]);
}

function interlaced({ width, height, indexes }: WrittenPicture): number[] {
  const rows = Array.from({ length: height }, (_, row) => row);
  const passes = [
    rows.filter((row) => row % 8 === 0),
    rows.filter((row) => row % 8 === 4),
    rows.filter((row) => row % 4 === 2),
    rows.filter((row) => row % 2 === 1),
  ];
  return passes.flat().flatMap((row) => indexes.slice(row * width, (row + 1) * width));
}

/** LZW as the specification of GIF89a describes it, with texts as keys. */
function lzw(indexes: number[], { codeBits, codesUntilClear }: WrittenPicture): Buffer {
  const bits: number[] = [];
  const clear = 1 << codeBits;
  let known = new Map<string, number>();
  let width = codeBits + 1;
  let codes = 0;
  const write = (code: number) => {
    for (let bit = 0; bit < width; bit++) bits.push((code >> bit) & 1);
  };
  const codeOf = (text: number[]) => (text.length === 1 ? text[0]! : known.get(text.join())!);
  write(clear);
  let text: number[] = [];
  for (const index of indexes) {
    const longer = [...text, index];
    if (longer.length === 1 || known.has(longer.join())) {
      text = longer;
      continue;
    }
    write(codeOf(text));
    text = [index];
    codes += 1;
    const next = clear + 2 + known.size;
    if (next === 1 << width && width < 12) width += 1;
    if (codes % codesUntilClear === 0) {
      write(clear);
      known = new Map();
      width = codeBits + 1;
    } else if (next < 4096) known.set(longer.join(), next);
  }
  write(codeOf(text));
  write(clear + 1);
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  bits.forEach((bit, at) => (bytes[at >> 3]! |= bit << (at & 7)));
  return bytes;
}
