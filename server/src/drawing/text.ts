import { printable, widthOf } from "./fonts.ts";
import { lettersIn } from "./letters.ts";
import type { Mark } from "./marks.ts";

/** Text on a page: on one line that fits, or on as many as it needs. */

export interface TextOptions {
  size: number;
  bold?: boolean;
  align?: "left" | "center" | "right";
  white?: boolean;
  /** The maximum width in points: longer text is set smaller, and cut where it would be too small to read. */
  max: number;
}

const smallestSize = 5;

/** One line; longer text is set smaller, and in the end cut with an ellipsis. */
export function text(words: string, x: number, y: number, options: TextOptions): Mark {
  const { bold = false, align = "left", white = false, max } = options;
  const whole = printable(words);
  const natural = widthOf(whole, options.size, bold);
  const smaller = Math.max(smallestSize, Math.floor((options.size * max * 20) / natural) / 20);
  const size = natural > max ? Math.min(options.size, smaller) : options.size;
  return {
    mark: "text",
    x,
    // Smaller letters have the same baseline as the full size.
    y: y + (options.size - size) * 0.8,
    text: cut(whole, { size, bold, max }),
    size,
    bold,
    align,
    white,
  };
}

interface Measure {
  size: number;
  bold: boolean;
  max: number;
}

function cut(words: string, measure: Measure): string {
  if (widthOf(words, measure.size, measure.bold) <= measure.max) return words;
  const letters = lettersIn(words);
  return `${letters
    .slice(0, fittingCount(letters, "…", measure))
    .join("")
    .trimEnd()}…`;
}

// More letters than the widest page has room for need not be measured.
const mostOnALine = 600;

/** How many letters fit before `ending`; at least one. */
function fittingCount(letters: string[], ending: string, { size, bold, max }: Measure): number {
  const doFit = (count: number) =>
    widthOf(letters.slice(0, count).join("") + ending, size, bold) <= max;
  let [fits, tooMany] = [1, Math.min(letters.length, mostOnALine) + 1];
  // Doubled until it is too much: a line is short, and the rest of the text may be long.
  for (let count = 16; count < tooMany; count *= 2)
    if (doFit(count)) fits = count;
    else tooMany = count;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (doFit(middle)) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

/**
 * Text as lines no wider than `max`, broken between words, and inside one that is wider than a line; of more
 * than `most` lines only the first ones. Line breaks in the text are kept; a letter that no bundled font has
 * is a box.
 */
export function wrap(words: string, measure: Measure, most = Infinity): string[] {
  const lines: string[] = [];
  for (const line of words.split(/\r\n|[\n\r\u2028\u2029]/)) {
    lines.push(...wrapLine(printable(line), measure, most - lines.length));
    if (lines.length >= most) break;
  }
  return lines;
}

function wrapLine(line: string, measure: Measure, most: number): string[] {
  const { size, bold, max } = measure;
  const lines: string[] = [];
  let current = "";
  for (const given of line.split(" ").filter(Boolean)) {
    if (lines.length >= most) return lines.slice(0, most);
    const joined = current === "" ? given : `${current} ${given}`;
    if (widthOf(joined, size, bold) <= max) {
      current = joined;
      continue;
    }
    if (current !== "") lines.push(current);
    let letters = lettersIn(given);
    while (
      letters.length > 1 &&
      lines.length < most &&
      widthOf(letters.join(""), size, bold) > max
    ) {
      const count = Math.max(
        1,
        Math.min(fittingCount(letters, "", { size, bold, max }), letters.length - 1),
      );
      lines.push(letters.slice(0, count).join(""));
      letters = letters.slice(count);
    }
    current = letters.join("");
  }
  if (current !== "") lines.push(current);
  return lines.slice(0, most);
}
