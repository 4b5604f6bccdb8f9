import { box, labelSheet, letter, moved, type Mark, type Page } from "../../../drawing/marks.ts";
import { text } from "../../../drawing/text.ts";

const foldAt = 480;
const dash = { length: 3, every: 6 };
const margin = 36;

/** A label in the upper half of a letter page, and where to fold. */
export function placeOnLetter(marks: Mark[]): Page {
  const dashes = Array.from({ length: (letter.width - 2 * margin) / dash.every }, (_, place) =>
    box(margin + place * dash.every, foldAt, dash.length, 1),
  );
  const words = "Fold here, or cut along the label. Cover no barcode with tape.";
  return {
    paper: letter,
    marks: [
      ...moved(marks, { x: (letter.width - labelSheet.width) / 2, y: 30 }),
      ...dashes,
      text(words, letter.width / 2, foldAt + 6, { size: 8, align: "center", max: letter.width }),
    ],
  };
}
