import PDFDocument from "pdfkit";
import { chinese, dejavu, emoji, helvetica, type Face, type OutlinedFace } from "./faces.ts";
import { lettersIn } from "./letters.ts";
import { piecesInReadingOrder, readsFromTheRight } from "./reading-order.ts";

/**
 * Letters. Plain Latin text uses the printer's own Helvetica, which costs nothing to embed; a text that
 * needs more alphabets uses DejaVu, and within either, Chinese and emoji have fonts of their own. A
 * letter in none of them becomes a box, as on a real carrier's printer.
 */

// The characters of the PDF standard fonts: Windows-1252.
const winAnsi = /^[\x20-\x7e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;

function isPlain(text: string): boolean {
  return winAnsi.test(text);
}

// More marks than any language puts on one letter would overlap the line above.
const marksOnALetter = 3;

/**
 * The text with every letter that no bundled font has replaced by one box, and without control
 * characters.
 */
export function printable(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const clean = text
    .replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu, " ")
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
    .normalize("NFC");
  if (isPlain(clean)) return clean;
  return lettersIn(clean).map(printableLetter).join("");
}

function printableLetter(letter: string): string {
  const home = homeOf(letter);
  if (home === null) return "□";
  const parts = Array.from(letter);
  if (home !== "emoji") return parts.slice(0, 1 + marksOnALetter).join("");
  // Emoji joined to one that the font does not know would be drawn side by side.
  return emoji.outlines().layout(letter).glyphs.length === 1 ? letter : parts[0]!;
}

type Home = "letters" | "chinese" | "emoji";

const shownAsEmoji = /\p{Emoji_Presentation}|\ufe0f/u;

// A lookup in fonts takes longer than all else that is done with a letter. The oldest entries are
// evicted.
const homesMax = 20_000;
const homes = new Map<string, Home | null>();

/** Which bundled font has all of a letter; null when none has. */
function homeOf(letter: string): Home | null {
  let home = homes.get(letter);
  if (home === undefined) {
    home = findHome(letter);
    if (homes.size >= homesMax) homes.clear();
    homes.set(letter, home);
  }
  return home;
}

function findHome(letter: string): Home | null {
  if (isPlain(letter)) return "letters";
  const isIn = ({ outlines }: OutlinedFace) =>
    Array.from(letter).every((part) => outlines().hasGlyphForCodePoint(part.codePointAt(0)!));
  if (shownAsEmoji.test(letter) && isIn(emoji)) return "emoji";
  if (isIn(dejavu.regular)) return "letters";
  if (isIn(chinese.regular)) return "chinese";
  return isIn(emoji) ? "emoji" : null;
}

/** Whether a printer needs to be given outlines of some letters, because no alphabet's font has them. */
export function needsOutlines(text: string): boolean {
  return runsOf(text, false).some(({ face }) => face === chinese.regular || face === emoji);
}

/** Adjacent letters in one font. */
export interface Run {
  face: Face;
  text: string;
}

/**
 * A printable text as it is printed from left to right. What Helvetica and DejaVu share is set in one
 * of them throughout, so that no word changes its font in the middle.
 */
export function runsOf(text: string, bold: boolean): Run[] {
  const weight = bold ? "bold" : "regular";
  if (isPlain(text)) return [{ face: helvetica[weight], text }];
  const faces = { letters: dejavu[weight], chinese: chinese[weight], emoji };
  const pieces = readsFromTheRight(text) ? piecesInReadingOrder(text) : [text];
  const runs = pieces.flatMap((piece) => {
    const inOrder = runsIn(piece, faces);
    return readsFromTheRight(piece) ? inOrder.reverse() : inOrder;
  });
  const isLatin = runs.every(({ face, text }) => face !== faces.letters || isPlain(text));
  return isLatin
    ? runs.map((run) => (run.face === faces.letters ? { ...run, face: helvetica[weight] } : run))
    : runs;
}

function runsIn(text: string, faces: Record<Home, Face>): Run[] {
  const runs: Run[] = [];
  for (const letter of lettersIn(text)) {
    const face = faces[homeOf(letter) ?? "letters"];
    const last = runs.at(-1);
    if (last?.face === face) last.text += letter;
    else runs.push({ face, text: letter });
  }
  return runs;
}

/** Registers a font with a document, which reads it no second time. */
export function useFace(document: PDFKit.PDFDocument, { name, outlines }: OutlinedFace): void {
  // PDFKit accepts a font that is read already, which its types do not say.
  document.font(outlines() as unknown as string, name);
}

// The font is kept as long as the process, so it must not cache the layout of every word.
const unremembering = { autoFirstPage: false, fontLayoutCache: false };
const ruler = new PDFDocument(unremembering);
// The PNG writer's letters are a little wider than Helvetica: measuring so, both fit.
const widening = 1.07;

/** Width in points. */
export function widthOf(text: string, size: number, bold: boolean): number {
  let width = 0;
  for (const { face, text: letters } of runsOf(text, bold)) {
    if (!face.outlines) width += face.letters.widthOf(letters) * (size / 1000) * widening;
    else width += widthInThousandths(face, letters) * (size / 1000);
  }
  return width;
}

// A text is measured when it is wrapped, when it is fitted and when it is drawn. The oldest entries are
// evicted.
const measuredMax = 20_000;
const measured = new Map<string, number>();

function widthInThousandths(face: OutlinedFace, letters: string): number {
  const key = `${face.name} ${letters}`;
  let width = measured.get(key);
  if (width === undefined) {
    useFace(ruler, face);
    width = ruler.fontSize(1000).widthOfString(letters);
    if (measured.size >= measuredMax) measured.clear();
    measured.set(key, width);
  }
  return width;
}
