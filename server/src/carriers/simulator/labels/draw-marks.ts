import { Canvas } from "../../../drawing/canvas.ts";
import { glyphsOf, type PlacedGlyph } from "../../../drawing/glyphs.ts";
import type { Mark, Page } from "../../../drawing/marks.ts";
import { maskOf, type Shape } from "../../../drawing/masks.ts";
import { code128, hexagonCorners, symbolShapes } from "../../../drawing/symbols.ts";

type TextMark = Extract<Mark, { mark: "text" }>;
type BarcodeMark = Extract<Mark, { mark: "code128" }>;
type SymbolMark = Extract<Mark, { mark: "symbol" }>;

const pointsPerInch = 72;

/** A page as a picture of so many dots an inch. */
export function drawPage({ paper, marks }: Page, dotsPerInch: number): Canvas {
  const dotsPerPoint = dotsPerInch / pointsPerInch;
  const size = [paper.width, paper.height].map((points) => Math.round(points * dotsPerPoint));
  const canvas = new Canvas(size[0]!, size[1]!);
  for (const mark of marks) drawMark(canvas, mark, dotsPerPoint);
  return canvas;
}

function drawMark(canvas: Canvas, mark: Mark, dotsPerPoint: number): void {
  switch (mark.mark) {
    case "box":
      fill(canvas, mark, dotsPerPoint);
      return;
    case "text":
      drawText(canvas, mark, dotsPerPoint);
      return;
    case "code128":
      drawBarcode(canvas, mark, dotsPerPoint);
      return;
    case "symbol":
      drawSymbol(canvas, mark, dotsPerPoint);
  }
}

function fill(
  canvas: Canvas,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  scale: number,
): void {
  canvas.fillBox({
    left: x * scale,
    top: y * scale,
    right: (x + width) * scale,
    bottom: (y + height) * scale,
  });
}

// Set a little smaller than in the PDF, because DejaVu's letters are wider than Helvetica's.
const narrowing = 0.94;

function drawText(canvas: Canvas, mark: TextMark, dotsPerPoint: number): void {
  const { glyphs, width } = glyphsOf(mark.text, mark.size * narrowing, mark.bold);
  const left = mark.x - { left: 0, center: width / 2, right: width }[mark.align];
  const baseline = mark.y + mark.size * 0.8;
  stampGlyphs(canvas, glyphs, { left, baseline, dotsPerPoint, isWhite: mark.white });
}

/** Glyphs at whole dots, from a place in points. */
export function stampGlyphs(
  canvas: Canvas,
  glyphs: readonly PlacedGlyph[],
  {
    left,
    baseline,
    dotsPerPoint,
    isWhite = false,
  }: { left: number; baseline: number; dotsPerPoint: number; isWhite?: boolean },
): void {
  for (const { shape, x, y, scale } of glyphs) {
    const dotsPerUnit = scale * dotsPerPoint;
    canvas.stamp(
      maskOf(shape, { x: dotsPerUnit, y: dotsPerUnit }),
      Math.round((left + x) * dotsPerPoint),
      Math.round((baseline + y) * dotsPerPoint),
      isWhite,
    );
  }
}

/** Whole dots for each module, centred: a printer cannot print part of one. */
function drawBarcode(canvas: Canvas, mark: BarcodeMark, dotsPerPoint: number): void {
  const { runs, modules } = code128(mark.text);
  const [width, top] = [mark.width * dotsPerPoint, mark.y * dotsPerPoint];
  const module = Math.max(1, Math.floor(width / modules));
  const start = Math.round(mark.x * dotsPerPoint + (width - modules * module) / 2);
  const bottom = top + mark.height * dotsPerPoint;
  for (const run of runs) {
    const left = start + run.at * module;
    canvas.fillBox({ left, top, right: left + run.width * module, bottom });
  }
}

const hexagon: Shape = {
  name: "hexagon",
  path: `M${hexagonCorners.map(([right, down]) => `${right} ${down}`).join("L")}z`,
  box: { left: -0.5, top: -0.6, right: 0.5, bottom: 0.6 },
};

function drawSymbol(canvas: Canvas, mark: SymbolMark, dotsPerPoint: number): void {
  const { boxes, hexagons, circles, ...size } = symbolShapes(mark.kind, mark.text);
  const scale = {
    x: (mark.width / size.width) * dotsPerPoint,
    y: (mark.height / size.height) * dotsPerPoint,
  };
  const [left, top] = [mark.x * dotsPerPoint, mark.y * dotsPerPoint];
  for (const { x, y, width, height } of boxes) {
    canvas.fillBox({
      left: left + x * scale.x,
      top: top + y * scale.y,
      right: left + (x + width) * scale.x,
      bottom: top + (y + height) * scale.y,
    });
  }
  for (const { x, y } of hexagons)
    stampAt(canvas, hexagon, scale, { x: left + x * scale.x, y: top + y * scale.y });
  if (circles.length > 0) {
    const [{ x, y }] = circles as [(typeof circles)[number]];
    const rings = ringsOf(circles.map(({ radius }) => radius));
    stampAt(canvas, rings, scale, { x: left + x * scale.x, y: top + y * scale.y });
  }
}

/** Circles around one middle. */
function ringsOf(radii: readonly number[]): Shape {
  const path = radii.map((radius) => {
    const half = `a${radius} ${radius} 0 0 0`;
    return `M${radius} 0${half} ${-2 * radius} 0${half} ${2 * radius} 0z`;
  });
  const reach = Math.max(...radii);
  return {
    name: `rings ${radii.join(" ")}`,
    path: path.join(""),
    box: { left: -reach, top: -reach, right: reach, bottom: reach },
  };
}

/** Within an eighth of a dot: modules of six dots are set apart as their reader expects. */
function stampAt(
  canvas: Canvas,
  shape: Shape,
  scale: { x: number; y: number },
  at: { x: number; y: number },
): void {
  const [x, y] = [Math.round(at.x * 4) / 4, Math.round(at.y * 4) / 4];
  const [column, row] = [Math.floor(x), Math.floor(y)];
  canvas.stamp(maskOf(shape, scale, { x: x - column, y: y - row }), column, row);
}
