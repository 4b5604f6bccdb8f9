import type { Font, Glyph } from "fontkit";
import { dejavu } from "./faces.ts";
import { runsOf } from "./fonts.ts";

/**
 * A text as shapes of SVG, its first letter at 0 and its baseline at 0, and its width in points: for
 * renderers without fonts for Chinese or emoji. Latin is set in DejaVu.
 */
export function outlineOf(
  text: string,
  size: number,
  bold: boolean,
): { shapes: string; width: number } {
  const shapes: string[] = [];
  let x = 0;
  for (const { face, text: letters } of runsOf(text, bold)) {
    const font = (face.outlines ?? dejavu[bold ? "bold" : "regular"].outlines)();
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(letters);
    glyphs.forEach((glyph, place) => {
      const { xOffset, yOffset, xAdvance } = positions[place]!;
      const path = pathOf(font, glyph);
      if (path !== "") {
        const at = `${x + xOffset * scale} ${-yOffset * scale}`;
        shapes.push(`<path transform="translate(${at}) scale(${scale} ${-scale})" d="${path}"/>`);
      }
      x += xAdvance * scale;
    });
  }
  return { shapes: shapes.join(""), width: x };
}

const paths = new WeakMap<Font, Map<number, string>>();

/** In the font's units, written once for each letter of a font. */
function pathOf(font: Font, glyph: Glyph): string {
  const known = paths.get(font) ?? new Map<number, string>();
  paths.set(font, known);
  const path = known.get(glyph.id) ?? glyph.path.toSVG();
  known.set(glyph.id, path);
  return path;
}
