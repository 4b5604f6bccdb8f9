import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { create, type Font } from "fontkit";
import { unpackWoff } from "./woff.ts";

/**
 * The fonts that we carry. Each file is read when the first text needs it, and once in the life of a
 * process: PDFKit would read it again for every document.
 */

/** A font by the name under which a document keeps it. */
export interface Face {
  name: string;
  /** The letters' outlines; null for the printer's own Helvetica. */
  outlines: (() => Font) | null;
}

export const helvetica = {
  regular: { name: "Helvetica", outlines: null },
  bold: { name: "Helvetica-Bold", outlines: null },
} as const satisfies Record<string, Face>;

const { resolve } = createRequire(import.meta.url);
const folderOf = (library: string) => dirname(resolve(`${library}/package.json`));
const dejavuFolder = join(folderOf("dejavu-fonts-ttf"), "ttf");

/** Where DejaVu lies, for who reads files itself. */
export const dejavuFiles = {
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

/** Emoji in outlines of one colour, since that is how paper is printed. They have no bold. */
export const emoji = face("Emoji", () => noto("noto-emoji", "emoji-400"));

function noto(family: string, subset: string): Buffer {
  const file = `${family}-${subset}-normal.woff`;
  return unpackWoff(readFileSync(join(folderOf(`@fontsource/${family}`), "files", file)));
}

function face(name: string, read: () => Buffer): { name: string; outlines: () => Font } {
  let font: Font | undefined;
  return { name, outlines: () => (font ??= create(read()) as Font) };
}
