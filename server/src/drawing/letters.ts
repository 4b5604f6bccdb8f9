const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
// Of these, each is a letter by itself: Latin, Greek, Cyrillic, Hebrew without points, kana, ideographs and the
// syllables of Hangul. The segmenter, which knows all others, takes a hundred times as long.
const single =
  /^[\x20-\x7e\u00a0-\u02ff\u0391-\u03c9\u0400-\u0481\u05d0-\u05ea\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** A text split into what a reader takes for one letter each: with its accents, and an emoji whole. */
export function lettersIn(text: string): string[] {
  if (single.test(text)) return Array.from(text);
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
