/** An address line in the parts that some carriers want: a line that cannot be taken apart is left whole. */

interface StreetParts {
  /** As it is written, with its letter or fraction: `12`, `12A`, `12 1/2`, `12-14`. */
  number: string;
  /** Without the number, with its type and direction. */
  name: string;
  /** Of a Canadian `5-123 Main St`, which is suite 5 in number 123; null where the line names none. */
  suite: string | null;
}

const number = String.raw`\d{1,6}[A-Za-z]?(?:\s+\d/\d)?`;
const numberFirst = new RegExp(String.raw`^(?:#\s*)?(${number}),?\s+(\S.*)$`);
const suiteFirst = new RegExp(
  String.raw`^(?:#\s*)?([\dA-Za-z]{1,6})\s*[-\u2013]\s*(\d{1,6}[A-Za-z]?)\s+(\S.*)$`,
);
const numberLast = new RegExp(
  String.raw`^(\S.*?),?\s+(\d{1,6}\s?[A-Za-z]?(?:\s*[-/]\s*\d{1,4}[A-Za-z]?)?)$`,
);

/**
 * The number and the name of a street; null where the line has no number, such as a post box, or one of which it
 * is not certain. In Canada and the United States the number is first, in most other countries last.
 */
export function splitStreetLine(line: string, country: string): StreetParts | null {
  const text = line.trim().replaceAll(/\s+/g, " ");
  const isAmerican = country === "CA" || country === "US";
  const suite = isAmerican ? suiteFirst.exec(text) : null;
  if (suite && /[^\d\s]/.test(suite[3]!)) {
    return { suite: suite[1]!, number: suite[2]!, name: suite[3]! };
  }
  const first = numberFirst.exec(text);
  if (first && isName(first[2]!)) return { number: first[1]!, name: first[2]!, suite: null };
  const last = isAmerican ? null : numberLast.exec(text);
  if (last && isName(last[1]!)) return { number: last[2]!, name: last[1]!, suite: null };
  return null;
}

/** Not `PO Box`, in whose line the number is no house's. */
function isName(text: string): boolean {
  return (
    /\p{L}{2}/u.test(text) &&
    !/^(p\.?\s?o\.?\s?box|box|c\.?p\.?|case postale|rr|postfach)\b/i.test(text)
  );
}
