import bwip from "bwip-js/node";
import type { SymbolKind } from "./marks.ts";

/** Barcodes as vectors, for both writers of pictures. */

/** Bars of a Code 128 in modules: each black run's start and width, and the total width. */
export function code128(text: string): { runs: { at: number; width: number }[]; modules: number } {
  const [symbol] = bwip.raw({ bcid: "code128", text }) as unknown as { sbs: number[] }[];
  const runs: { at: number; width: number }[] = [];
  let at = 0;
  symbol!.sbs.forEach((width, place) => {
    // Bars and spaces alternate, a bar first.
    if (place % 2 === 0) runs.push({ at, width });
    at += width;
  });
  return { runs, modules: at };
}

/**
 * A two-dimensional symbol in a box of its own, origin at the top left. Black is what an odd number of
 * its shapes covers.
 */
export interface SymbolShapes {
  width: number;
  height: number;
  boxes: { x: number; y: number; width: number; height: number }[];
  /** Where the middle of each is, row by row from the left; they do not overlap. */
  hexagons: { x: number; y: number }[];
  circles: { x: number; y: number; radius: number }[];
}

/**
 * A MaxiCode is encoded as the library did before it searched for the shortest encoding of a text:
 * that takes twice the time, to save a few of 93 codewords where a label has forty letters.
 */
export function symbolShapes(kind: SymbolKind, text: string): SymbolShapes {
  if (kind === "maxicode")
    return honeycomb(encode({ bcid: kind, text, mode: 4, legacyencoder: true }).pixs);
  const columns = kind === "pdf417" ? { columns: 6 } : {};
  return grid(encode({ bcid: kind, text, ...columns }));
}

interface Encoded {
  /** One number a module, row by row; of a MaxiCode the positions of the black ones. */
  pixs: number[];
  /** Width and height in modules: a row of PDF417 is several modules high, and is in `pixs` once. */
  pixx: number;
  pixy: number;
}

/** The modules alone: drawing is the greater part of the library's time, and is done here instead. */
function encode(options: {
  bcid: SymbolKind;
  text: string;
  mode?: number;
  legacyencoder?: boolean;
  columns?: number;
}): Encoded {
  return (bwip.raw(options) as unknown as Encoded[])[0]!;
}

/** Each black run of a row is one box. */
function grid({ pixs, pixx, pixy }: Encoded): SymbolShapes {
  const boxes: SymbolShapes["boxes"] = [];
  const rows = pixs.length / pixx;
  const height = pixy / rows;
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < pixx; x++) {
      const start = x;
      while (x < pixx && pixs[row * pixx + x]) x++;
      if (x > start) boxes.push({ x: start, y: row * height, width: x - start, height });
    }
  }
  return { width: pixx, height: pixy, boxes, hexagons: [], circles: [] };
}

// A MaxiCode (ISO/IEC 16023) has 33 rows of 30 hexagons, each second row moved half a hexagon to the
// right, around a target of three rings. The unit is the distance between two neighbours.
const rowHeight = Math.sqrt(3) / 2;
const tip = 1 / Math.sqrt(3);
const ringRadii = [0.58, 1.34, 2.11, 2.87, 3.64, 4.4];
// A hexagon is printed a little smaller than its cell, since ink spreads.
const inked = 0.84;
/** Its corners, from its middle. */
export const hexagonCorners = [
  [0, -tip],
  [0.5, -tip / 2],
  [0.5, tip / 2],
  [0, tip],
  [-0.5, tip / 2],
  [-0.5, -tip / 2],
].map(([x, y]) => [x! * inked, y! * inked] as const);

const cells = Array.from({ length: 33 * 30 }, (_, place) => {
  const row = Math.floor(place / 30);
  return { x: (place % 30) + 0.5 + (row % 2) / 2, y: tip + row * rowHeight };
});
const rings = ringRadii.map((radius) => ({ x: 14.5, y: tip + 16 * rowHeight, radius }));

function honeycomb(places: number[]): SymbolShapes {
  const black = new Uint8Array(cells.length);
  for (const place of places) black[place] = 1;
  const hexagons = cells.filter((_, place) => black[place]);
  return { width: 30.5, height: 32 * rowHeight + 2 * tip, boxes: [], hexagons, circles: rings };
}
