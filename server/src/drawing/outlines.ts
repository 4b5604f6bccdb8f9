import { dejavu } from "./faces.ts";
import { runsOf } from "./fonts.ts";

/**
 * A text as one path of SVG, its first letter at 0 and its baseline at 0, and its width in points: for
 * renderers without fonts for Chinese or emoji. Latin is set in DejaVu.
 */
export function outlineOf(
  text: string,
  size: number,
  bold: boolean,
): { path: string; width: number } {
  const paths: string[] = [];
  let x = 0;
  for (const { face, text: letters } of runsOf(text, bold)) {
    const font = (face.outlines ?? dejavu[bold ? "bold" : "regular"].outlines)();
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(letters);
    glyphs.forEach(({ path }, place) => {
      const { xOffset, yOffset, xAdvance } = positions[place]!;
      const at = { x: x + xOffset * scale, y: -yOffset * scale };
      paths.push(path.scale(scale, -scale).translate(at.x, at.y).toSVG());
      x += xAdvance * scale;
    });
  }
  return { path: paths.join(""), width: x };
}
