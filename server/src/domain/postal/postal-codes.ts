import { postalSystemOf } from "./countries.ts";

/** Reading and writing one postal code in its country's format (decision 5). */

const separators = /[\s.\-\u2010-\u2015]+/g;

/**
 * The code in its country's form, whatever case, spaces and dashes it was sent with ("k1a-0b1" →
 * "K1A 0B1", "123456789" → "12345-6789", "SE 11351" → "113 51"). Null when no format of the country
 * fits. Where the country has no codes, or its format is unknown, the text itself in upper case.
 */
export function normalisePostalCode(country: string, text: string): string | null {
  const { formats } = postalSystemOf(country);
  const upper = text.toUpperCase().trim();
  if (formats.length === 0) return upper;
  const bare = upper.replace(separators, "");
  const withoutCountry = bare.startsWith(country) ? bare.slice(country.length) : bare;
  return written(formats, bare) ?? written(formats, withoutCountry);
}

/**
 * The form of a country's codes, for a message: "99999 or 99999-9999", where 9 is any digit, A any
 * letter.
 */
export function postalCodeForm(country: string): string {
  const forms = postalSystemOf(country).formats.map((format) =>
    piecesOf(format)
      .map((piece) => (isLiteral(piece) ? piece : takesDigits(piece) ? "9" : "A"))
      .join(""),
  );
  return [...new Set(forms)].slice(0, 3).join(" or ");
}

function written(formats: readonly string[], bare: string): string | null {
  for (const format of formats) {
    const code = fill(format, bare);
    if (code !== null) return code;
  }
  return null;
}

/** Puts the characters into the format's positions, with the format's own spaces and dashes. */
function fill(format: string, bare: string): string | null {
  let code = "";
  let next = 0;
  for (const piece of piecesOf(format)) {
    if (piece === " " || piece === "-") {
      code += piece;
    } else {
      const character = bare.charAt(next++);
      if (!takes(piece, character)) return null;
      code += character;
    }
  }
  return next === bare.length ? code : null;
}

/** A format's positions one by one: "[78]# A" → "[78]", "#", " ", "A". */
function piecesOf(format: string): string[] {
  return format.match(/\[[^[\]]+\]|./g) ?? [];
}

const wildcards: Record<string, RegExp> = { "#": /^[0-9]$/, "@": /^[A-Z]$/, "*": /^[A-Z0-9]$/ };

function takes(piece: string, character: string): boolean {
  if (isLiteral(piece)) return piece === character;
  return (wildcards[piece] ?? new RegExp(`^${piece}$`)).test(character);
}

function isLiteral(piece: string): boolean {
  return piece.length === 1 && !(piece in wildcards);
}

function takesDigits(piece: string): boolean {
  return takes(piece, "2") || takes(piece, "8");
}
