import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gifOf, type WrittenPicture } from "./gif-world.ts";
import { readGif } from "./gif.ts";

const dotsMax = 10_000;

const written: fc.Arbitrary<WrittenPicture> = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    codeBits: fc.integer({ min: 2, max: 8 }),
    codesUntilClear: fc.integer({ min: 1, max: 6_000 }),
    isInterlaced: fc.boolean(),
    colours: fc.integer({ min: 1, max: 256 }),
    runs: fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 200 })), { minLength: 1 }),
  })
  .map(({ colours, runs, ...picture }) => {
    const row = runs.flatMap(([index, count]) =>
      Array<number>(count).fill(index % Math.min(colours, 1 << picture.codeBits)),
    );
    const indexes = Array.from(
      { length: picture.width * picture.height },
      (_, at) => row[at % row.length]!,
    );
    return { ...picture, indexes };
  });

describe("a GIF", () => {
  test("is read as the dots that were written, however they were packed", () => {
    fc.assert(
      fc.property(written, (picture) => {
        const { width, height } = picture;
        const dots = Uint8Array.from(picture.indexes);
        expect(readGif(gifOf(picture), dotsMax)).toEqual({ width, height, dots });
      }),
      { numRuns: 300 },
    );
  });

  test("of many dots of one colour is read beyond the code of most bits", () => {
    const indexes = Array.from({ length: 90 * 90 }, (_, at) => (at * at + (at >> 3)) % 251);
    const codesUntilClear = 8_000;
    const picture = { width: 90, height: 90, codeBits: 8, codesUntilClear, indexes };
    const read = readGif(gifOf({ ...picture, isInterlaced: false }), dotsMax);
    expect(read?.dots).toEqual(Uint8Array.from(indexes));
  });

  test("is the picture that another reader sees", () => {
    fc.assert(
      fc.property(written, (picture) => {
        const gif = gifOf(picture);
        const { dots } = readGif(gif, dotsMax)!;
        expect(Buffer.from(dots).equals(seenByResvg(gif, picture))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("has white around a smaller picture, and where that is transparent", () => {
    const picture = { width: 3, height: 1, codeBits: 2, codesUntilClear: 9, isInterlaced: false };
    const gif = gifOf({ ...picture, indexes: [0, 1, 2], left: 1, top: 1, transparent: 1 });
    expect(readGif(gif, dotsMax)).toEqual({
      width: 4,
      height: 2,
      dots: Uint8Array.from([255, 255, 255, 255, 255, 0, 255, 2]),
    });
  });

  test("whose screen is smaller than its picture is as large as the picture", () => {
    const picture = { width: 3, height: 1, codeBits: 2, codesUntilClear: 9, isInterlaced: false };
    const gif = gifOf({ ...picture, indexes: [0, 1, 2] });
    gif.writeUInt32LE(0, 6);
    const dots = Uint8Array.from([0, 1, 2]);
    expect(readGif(gif, dotsMax)).toEqual({ width: 3, height: 1, dots });
    expect(readGif(gif, 2)).toBeNull();
  });

  test("that ends before its last dot is none, wherever it ends", () => {
    const indexes = Array.from({ length: 400 }, (_, at) => (at * 7) % 4);
    const picture = { width: 20, height: 20, codeBits: 2, codesUntilClear: 50, indexes };
    const gif = gifOf({ ...picture, isInterlaced: false });
    // Without the last code, the end of the blocks, and the end of the file, no dot is missing.
    for (let length = 0; length < gif.length - 4; length++)
      expect(readGif(gif.subarray(0, length), dotsMax), String(length)).toBeNull();
  });

  test("with any damage is a picture of its size or none", () => {
    fc.assert(
      fc.property(
        written,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }),
        (picture, damage) => {
          const gif = gifOf(picture);
          for (const [at, byte] of damage) gif[at % gif.length] = byte;
          const read = readGif(gif, dotsMax);
          if (read) expect(read.dots).toHaveLength(read.width * read.height);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("of more dots than wanted is none", () => {
    const picture = { width: 20, height: 20, codeBits: 2, codesUntilClear: 50 };
    const gif = gifOf({ ...picture, isInterlaced: false, indexes: Array<number>(400).fill(0) });
    expect(readGif(gif, 400)).not.toBeNull();
    expect(readGif(gif, 399)).toBeNull();
  });
});

/** Red stands for all. */
function seenByResvg(gif: Buffer, { width, height }: WrittenPicture): Buffer {
  const size = `width="${width}" height="${height}"`;
  const href = `data:image/gif;base64,${gif.toString("base64")}`;
  const image = `<image ${size} image-rendering="optimizeSpeed" href="${href}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${image}</svg>`;
  const { pixels } = new Resvg(svg, { background: "white" }).render();
  return Buffer.from(Uint8Array.from({ length: width * height }, (_, dot) => pixels[dot * 4]!));
}
