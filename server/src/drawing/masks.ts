import { Resvg } from "@resvg/resvg-js";

/** A shape that is drawn often: a glyph, a hexagon. Black is what its outline goes around an odd number of times. */
export interface Shape {
  /** No two shapes have the same. */
  name: string;
  /** As in SVG, in units of its own, downwards. */
  path: string;
  /** What it covers, in the same units. */
  box: { left: number; top: number; right: number; bottom: number };
}

/** The dots that a shape covers: how far each, from 0 to 255, rows from the top. */
export interface Mask {
  width: number;
  height: number;
  /** Dots from the shape's origin to the first one. */
  left: number;
  top: number;
  cover: Uint8Array;
}

/** More than the letters of a busy day in several alphabets: some 20 MB. */
const masksMax = 20_000;
const masks = new Map<string, Mask>();

/**
 * The dots of a shape of so many dots a unit, whose origin is so far from a dot's corner: drawn once, since drawing takes a
 * hundred times as long as what is done with it.
 */
export function maskOf(
  shape: Shape,
  scale: { x: number; y: number },
  origin: { x: number; y: number } = { x: 0, y: 0 },
): Mask {
  const key = `${shape.name} ${scale.x} ${scale.y} ${origin.x} ${origin.y}`;
  let mask = masks.get(key);
  if (mask === undefined) {
    mask = draw(shape, scale, origin);
    if (masks.size >= masksMax) masks.clear();
    masks.set(key, mask);
  }
  return mask;
}

function draw(
  { path, box }: Shape,
  scale: { x: number; y: number },
  origin: { x: number; y: number },
): Mask {
  const left = Math.floor(box.left * scale.x + origin.x);
  const top = Math.floor(box.top * scale.y + origin.y);
  const width = Math.max(1, Math.ceil(box.right * scale.x + origin.x) - left);
  const height = Math.max(1, Math.ceil(box.bottom * scale.y + origin.y) - top);
  const place = `translate(${origin.x - left} ${origin.y - top}) scale(${scale.x} ${scale.y})`;
  const shape = `<path transform="${place}" d="${path}" fill-rule="evenodd"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shape}</svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const cover = new Uint8Array(width * height);
  for (let dot = 0; dot < cover.length; dot++) cover[dot] = pixels[dot * 4 + 3]!;
  return { width, height, left, top, cover };
}
