import type { Mark } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";

/** The positions common to every page of a form, in points on letter paper. */
export const page = {
  left: 28,
  right: 584,
  width: 556,
  middle: 306,
  top: 28,
  bottom: 764,
  titleHeight: 22,
} as const;

export function title(words: string): Mark[] {
  return [
    text(words, page.left + page.width / 2, page.top + 2, {
      size: 14,
      bold: true,
      align: "center",
      max: 330,
    }),
  ];
}

export function pageNumber(number: number, count: number): Mark {
  return text(`Page ${number} of ${count}`, page.right, page.top + 6, {
    size: 8,
    align: "right",
    max: 100,
  });
}
