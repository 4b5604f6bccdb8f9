import type { Place } from "./barcode.ts";
import { rounded } from "./rounded.ts";
import { code128, hexagonCorners, type SymbolShapes } from "./symbols.ts";

/** The bars of a Code 128 symbol, one unit high. */
export function bars(text: string): SymbolShapes {
  const { runs, modules } = code128(text);
  const boxes = runs.map(({ at, width }) => ({ x: at, y: 0, width, height: 1 }));
  return { width: modules, height: 1, boxes, hexagons: [], circles: [] };
}

/** Puts a symbol on the current page of a document, as large as its place. */
export function putShapes(
  document: PDFKit.PDFDocument,
  { x, y, width, height }: Place,
  shapes: SymbolShapes,
): void {
  document
    .save()
    .translate(x, y)
    .scale(width / shapes.width, height / shapes.height);
  const boxes = shapes.boxes.map((box) => `${box.x} ${box.y} ${box.width} ${box.height} re`);
  document.addContent(boxes.join("\n"));
  for (const { x, y, radius } of shapes.circles) document.circle(x, y, radius);
  document.fill("even-odd");
  document.addContent(honeycomb(shapes.hexagons)).restore();
}

const corners = hexagonCorners.map((corner) => corner.map(rounded).join(" "));
const filledHexagon = `${corners[0]} m ${corners.slice(1).join(" l ")} l f`;

/**
 * Each hexagon is drawn by the same words after a step from the one before it: four hundred paths with
 * coordinates of their own would be most of the file, and of the time that compressing it takes.
 */
function honeycomb(hexagons: SymbolShapes["hexagons"]): string {
  let [fromX, fromY] = [0, 0];
  const drawn = hexagons.map((hexagon) => {
    const [x, y] = [rounded(hexagon.x), rounded(hexagon.y)];
    const step = `1 0 0 1 ${rounded(x - fromX)} ${rounded(y - fromY)} cm`;
    [fromX, fromY] = [x, y];
    return `${step} ${filledHexagon}`;
  });
  return drawn.join("\n");
}
