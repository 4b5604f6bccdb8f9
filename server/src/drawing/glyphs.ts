import type { Font, Glyph } from "fontkit";
import { dejavu } from "./faces.ts";
import { runsOf } from "./fonts.ts";
import type { Shape } from "./masks.ts";

/** A glyph of a text, in points from the text's start and its baseline, downwards. */
export interface PlacedGlyph {
  shape: Shape;
  x: number;
  y: number;
  /** Points for each unit of the shape. */
  scale: number;
}

/** Of some hundred labels, each with forty texts, most of which are on every label. */
const linesMax = 2_000;
const lines = new Map<string, Line>();

interface Line {
  glyphs: readonly PlacedGlyph[];
  width: number;
}

/**
 * A text as the glyphs that it is set in, and its width in points: for pictures, and for printers without fonts for Chinese
 * or emoji. Latin is set in DejaVu. Kept, since kerning a text takes longer than drawing it.
 */
export function glyphsOf(text: string, size: number, bold: boolean): Line {
  const key = `${size} ${bold} ${text}`;
  let line = lines.get(key);
  if (line === undefined) {
    line = setLine(text, size, bold);
    if (lines.size >= linesMax) lines.clear();
    lines.set(key, line);
  }
  return line;
}

function setLine(text: string, size: number, bold: boolean): Line {
  const placed: PlacedGlyph[] = [];
  let x = 0;
  for (const { face, text: letters } of runsOf(text, bold)) {
    const font = (face.outlines ?? dejavu[bold ? "bold" : "regular"].outlines)();
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(letters);
    glyphs.forEach((glyph, place) => {
      const { xOffset, yOffset, xAdvance } = positions[place]!;
      const shape = shapeOf(font, glyph);
      if (shape.path !== "")
        placed.push({ shape, x: x + xOffset * scale, y: -yOffset * scale, scale });
      x += xAdvance * scale;
    });
  }
  return { glyphs: placed, width: x };
}

const shapes = new WeakMap<Font, Map<number, Shape>>();

/** In the font's units, read once for each glyph of a font. */
function shapeOf(font: Font, glyph: Glyph): Shape {
  const known = shapes.get(font) ?? new Map<number, Shape>();
  shapes.set(font, known);
  const shape = known.get(glyph.id) ?? readShape(font, glyph);
  known.set(glyph.id, shape);
  return shape;
}

function readShape(font: Font, glyph: Glyph): Shape {
  const { minX, minY, maxX, maxY } = glyph.bbox;
  return {
    name: `${font.postscriptName} ${glyph.id}`,
    // Fonts count upwards.
    path: glyph.path.scale(1, -1).toSVG(),
    box: { left: minX, top: -maxY, right: maxX, bottom: -minY },
  };
}
