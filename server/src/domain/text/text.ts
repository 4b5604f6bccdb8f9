/** Which characters a text from outside may contain, and how it is tidied before it is stored. */

// Invisible marks that hide in pasted text: soft hyphen, zero-width space, joiners of words, byte
// order mark, and the marks that turn the reading direction, with which a label could be spoofed.
const invisibleMarks = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
const controlCharacters = /\p{Cc}/u;
const controlCharactersButLineBreaks = /(?![\t\n\r])\p{Cc}/u;

/**
 * Trims, makes every run of white space one space, and composes accents (NFC), so that equal texts
 * are equal strings. Null when nothing visible is left. Cleaning twice changes nothing more.
 */
export function cleanText(text: string): string | null {
  if (isPlain(text)) return text;
  const cleaned = text.replace(invisibleMarks, "").replace(/\s+/g, " ").trim().normalize("NFC");
  return /[^\s\u200C\u200D]/.test(cleaned) ? cleaned : null;
}

/** Most texts are words of ASCII with one space between them: there is nothing to clean, and one look says so. */
function isPlain(text: string): boolean {
  return /^[!-~]+(?: [!-~]+)*$/.test(text);
}

/** Whether a text can be printed on one line of a label: no control character, no broken Unicode. */
export function isOneLine(text: string): boolean {
  return text.isWellFormed() && !controlCharacters.test(text);
}

/**
 * Whether a free text can be stored: PostgreSQL refuses NUL, and half a surrogate pair cannot be
 * written as UTF-8. Line breaks and tabs are fine.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !controlCharactersButLineBreaks.test(text);
}
