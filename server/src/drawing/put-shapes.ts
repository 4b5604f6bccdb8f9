import type { Place } from "./barcode.ts";
import type { Pen, Stamp } from "./pen.ts";
import { rounded } from "./rounded.ts";
import { code128, hexagonCorners, type SymbolShapes } from "./symbols.ts";

/** The bars of a Code 128 symbol, one unit high. */
export function bars(text: string): SymbolShapes {
  const { runs, modules } = code128(text);
  const boxes = runs.map(({ at, width }) => ({ x: at, y: 0, width, height: 1 }));
  return { width: modules, height: 1, boxes, hexagons: [], circles: [] };
}

/** Draws a symbol on the page, as large as its box. */
export function putShapes(pen: Pen, place: Place, shapes: SymbolShapes): void {
  const { boxes, circles, hexagons } = shapes;
  const scale = { x: place.width / shapes.width, y: place.height / shapes.height };
  pen.write(`q ${exact(scale.x)} 0 0 ${exact(scale.y)} ${rounded(place.x)} ${rounded(place.y)} cm`);
  for (const { x, y, width, height } of boxes) pen.write(`${x} ${y} ${width} ${height} re`);
  for (const circle of circles) pen.write(drawn(circle));
  pen.write("f*");
  if (hexagons.length > 0) {
    pen.carry(hexagon);
    pen.write(honeycomb(hexagons));
  }
  pen.write("Q");
}

/** A factor, which a hundred modules must not multiply into a visible error. */
function exact(factor: number): number {
  return Math.round(factor * 1e6) / 1e6;
}

// How far from its ends a quarter of a circle, as a Bézier curve, is drawn to.
const pull = (4 / 3) * (Math.SQRT2 - 1);

type Circle = SymbolShapes["circles"][number];

// The target of every MaxiCode is the same six circles.
const paths = new WeakMap<Circle, string>();

function drawn(circle: Circle): string {
  const path = paths.get(circle) ?? circlePath(circle);
  paths.set(circle, path);
  return path;
}

function circlePath({ x, y, radius }: Circle): string {
  const at = (right: number, down: number) =>
    `${rounded(x + right * radius)} ${rounded(y + down * radius)}`;
  const quarter = (cos: number, sin: number) => {
    const [from, to] = [
      at(cos - sin * pull, sin + cos * pull),
      at(cos * pull - sin, sin * pull + cos),
    ];
    return `${from} ${to} ${at(-sin, cos)} c`;
  };
  return [`${at(1, 0)} m`, quarter(1, 0), quarter(0, 1), quarter(-1, 0), quarter(0, -1)].join(" ");
}

// Whole hundredths of a module are shorter than what modules would need.
const fine = 100;
const corners = hexagonCorners.map((corner) =>
  corner.map((length) => Math.round(length * fine)).join(" "),
);
const hexagon: Stamp = {
  name: "Hexagon",
  operators: `${corners[0]} m ${corners.slice(1).join(" l ")} l f`,
  reach: fine,
};
/** A hexagon so many half modules to the right of the last one, in its row. */
const alongTheRow = Array.from({ length: 60 }, (_, halves) => stepped(halves / 2, 0));

function stepped(right: number, down: number): string {
  return `1 0 0 1 ${rounded(right * fine)} ${rounded(down * fine)} cm /${hexagon.name} Do`;
}

/**
 * Each hexagon is the same stamp at an offset from the previous one: four hundred paths with coordinates
 * of their own would be most of the file, and of the time to compress it.
 */
function honeycomb(hexagons: SymbolShapes["hexagons"]): string {
  let from = { x: 0, y: 0 };
  const steps = [`${1 / fine} 0 0 ${1 / fine} 0 0 cm`];
  for (const to of hexagons) {
    const [right, down] = [to.x - from.x, to.y - from.y];
    steps.push(down === 0 ? alongTheRow[right * 2]! : stepped(right, down));
    from = to;
  }
  return steps.join("\n");
}
