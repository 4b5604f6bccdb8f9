import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { create, type Font } from "fontkit";
import { helveticaOf, type Helvetica } from "./helvetica.ts";
import { unpackWoff } from "./woff.ts";

/**
 * The bundled fonts. Each file is read when the first text needs it, and once per process: PDFKit
 * would read it again for every document.
 */

/** A font by the name under which a document keeps it. */
export type Face = OutlinedFace | StandardFace;

export interface OutlinedFace {
  name: string;
  outlines: () => Font;
}

/** The printer's own font: it has the outlines, Waybill the widths. */
export interface StandardFace {
  name: string;
  outlines: null;
  letters: Helvetica;
}

export const helvetica = {
  regular: standard("Helvetica"),
  bold: standard("Helvetica-Bold"),
};

const { resolve } = createRequire(import.meta.url);
const folderOf = (library: string) => dirname(resolve(`${library}/package.json`));
const dejavuFolder = join(folderOf("dejavu-fonts-ttf"), "ttf");

/** The paths of DejaVu, for code that reads the files itself. */
const dejavuFiles = {
  regular: join(dejavuFolder, "DejaVuSansCondensed.ttf"),
  bold: join(dejavuFolder, "DejaVuSansCondensed-Bold.ttf"),
};

/** Latin, Greek, Cyrillic, Arabic, Hebrew and more alphabets. */
export const dejavu = {
  regular: face("DejaVu", () => readFileSync(dejavuFiles.regular)),
  bold: face("DejaVu-Bold", () => readFileSync(dejavuFiles.bold)),
};

/** Simplified Chinese, and the syllables of Japanese. */
export const chinese = {
  regular: face("Chinese", () => noto("noto-sans-sc", "chinese-simplified-400")),
  bold: face("Chinese-Bold", () => noto("noto-sans-sc", "chinese-simplified-700")),
};

/** Emoji in outlines of one colour, since that is how documents are printed. They have no bold. */
export const emoji = face("Emoji", () => noto("noto-emoji", "emoji-400"));

function noto(family: string, subset: string): Buffer {
  const file = `${family}-${subset}-normal.woff`;
  return unpackWoff(readFileSync(join(folderOf(`@fontsource/${family}`), "files", file)));
}

function standard(name: "Helvetica" | "Helvetica-Bold"): StandardFace {
  return { name, outlines: null, letters: helveticaOf(name) };
}

function face(name: string, read: () => Buffer): OutlinedFace {
  let font: Font | undefined;
  return { name, outlines: () => (font ??= withItsLetters(create(read()) as Font)) };
}

/**
 * A font keeps each glyph as it was first asked for: one that was drawn as a part of another, as the a of à, has no
 * letter, and a text with it could not be copied or searched. It gets its letter when a text asks for it.
 */
function withItsLetters(font: Font): Font {
  const glyphOf = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => {
    const glyph = glyphOf(id, codePoints);
    if (glyph.codePoints.length === 0) glyph.codePoints.push(...codePoints);
    return glyph;
  };
  return font;
}
