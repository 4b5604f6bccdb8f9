const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
// Of these, each is a letter by itself.
const single = /^[\x20-\x7e\u00a0-\u00ff]*$/;

/** A text in what a reader takes for one letter each: with its accents, and an emoji whole. */
export function lettersIn(text: string): string[] {
  if (single.test(text)) return Array.from(text);
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
