/** Latin letters without accents and ligatures, as customs systems write names; other letters unchanged. */
export function plainLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/g, "ss")
    .replace(/[øØ]/g, "o")
    .replace(/[łŁ]/g, "l")
    .replace(/[æÆ]/g, "ae")
    .replace(/[œŒ]/g, "oe");
}
