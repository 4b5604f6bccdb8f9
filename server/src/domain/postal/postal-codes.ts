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
    const { code, form } = compiled(format);
    if (code.test(bare)) return bare.replace(code, form);
  }
  return null;
}

interface CompiledFormat {
  /** Codes of the format without its spaces and dashes. */
  code: RegExp;
  /** The replacement that puts them back: "$1 $2". */
  form: string;
}

const known = new Map<string, CompiledFormat>();

/** Each format once, at its first use: every address has a code. */
function compiled(format: string): CompiledFormat {
  let made = known.get(format);
  if (!made) {
    const pieces = piecesOf(format);
    const code = pieces.map((piece) => (isSeparator(piece) ? ")(" : patternOf(piece))).join("");
    const rest = pieces.filter(isSeparator).map((separator, index) => `${separator}$${index + 2}`);
    made = { code: new RegExp(`^(${code})$`), form: `$1${rest.join("")}` };
    known.set(format, made);
  }
  return made;
}

/** A format's positions one by one: "[78]# A" → "[78]", "#", " ", "A". */
function piecesOf(format: string): string[] {
  return format.match(/\[[^[\]]+\]|./g) ?? [];
}

const wildcards: Record<string, string> = { "#": "[0-9]", "@": "[A-Z]", "*": "[A-Z0-9]" };

function patternOf(piece: string): string {
  return wildcards[piece] ?? piece;
}

function isSeparator(piece: string): boolean {
  return piece === " " || piece === "-";
}

function isLiteral(piece: string): boolean {
  return piece.length === 1 && !(piece in wildcards);
}

function takesDigits(piece: string): boolean {
  return new RegExp(patternOf(piece)).test("28");
}
