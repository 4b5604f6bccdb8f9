import { lettersIn } from "./letters.ts";

/**
 * Arabic and Hebrew are read from the right, the numbers and Latin words among them from the left. A PDF
 * needs each piece at its displayed position. This is the Unicode Bidirectional Algorithm (UAX #9) for
 * one line of a left-to-right form, without explicit marks, which `printable` has removed.
 */

type Direction = "R" | "L" | "number" | "neutral";

const fromTheRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Whether a text has right-to-left letters; no other text needs to be reordered. */
export function readsFromTheRight(text: string): boolean {
  return fromTheRight.test(text);
}

/**
 * The pieces of a line in displayed order, from left to right. A piece is read in one direction, which
 * its letters determine, and is either space or has none.
 */
export function piecesInReadingOrder(text: string): string[] {
  const characters = Array.from(text);
  const levels = levelsOf(characters);
  const runs: { level: number; text: string }[] = [];
  characters.forEach((character, at) => {
    const level = levels[at]!;
    const shown = level % 2 === 1 ? (mirrored[character] ?? character) : character;
    const last = runs.at(-1);
    if (last?.level === level && isSpace(last.text) === isSpace(shown)) last.text += shown;
    else runs.push({ level, text: shown });
  });
  return reordered(runs).map(({ level, text }) => (level % 2 === 1 ? turned(text) : text));
}

/** The font reverses right-to-left letters; signs among them have no direction. */
function turned(text: string): string {
  return readsFromTheRight(text) ? text : lettersIn(text).reverse().join("");
}

const mirrored: Record<string, string> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "<": ">",
  ">": "<",
};

function isSpace(text: string): boolean {
  return text.trim() === "";
}

/** How deep each character is embedded: odd levels are read from the right. */
function levelsOf(characters: string[]): number[] {
  const directions = characters.map(directionOf);
  joinNumbers(characters, directions);
  settleNumbers(directions);
  settleBrackets(characters, directions);
  settleNeutrals(directions);
  const level = { L: 0, R: 1, number: 2, neutral: 0 };
  return directions.map((each) => level[each]);
}

function directionOf(character: string): Direction {
  if (/\p{Nd}/u.test(character)) return "number";
  if (fromTheRight.test(character) && /[\p{L}\p{M}]/u.test(character)) return "R";
  return /[\p{L}\p{M}]/u.test(character) ? "L" : "neutral";
}

/** A separator between two digits belongs to their number (rule W4). */
function joinNumbers(characters: string[], directions: Direction[]): void {
  directions.forEach((_, at) => {
    const between = directions[at - 1] === "number" && directions[at + 1] === "number";
    if (between && /[.,:/+-]/.test(characters[at]!)) directions[at] = "number";
  });
}

/** A number after Latin letters, or at the start, is read with them (rule W7). */
function settleNumbers(directions: Direction[]): void {
  let strong: Direction = "L";
  directions.forEach((each, at) => {
    if (each === "R" || each === "L") strong = each;
    else if (each === "number" && strong === "L") directions[at] = "L";
  });
}

/** Brackets around right-to-left text, in such a text, are read with it (rule N0). */
function settleBrackets(characters: string[], directions: Direction[]): void {
  characters.forEach((character, at) => {
    if (!/[([<]/.test(character)) return;
    const length = characters.slice(at).indexOf(mirrored[character]!);
    if (length === -1) return;
    const inside = directions.slice(at + 1, at + length);
    const before = directions.slice(0, at).findLast((each) => each !== "neutral") ?? "L";
    const isRead = (each: Direction) => each === "R" || each === "number";
    if (inside.includes("L") || !inside.some(isRead) || !isRead(before)) return;
    directions[at] = directions[at + length] = "R";
  });
}

/** Neutral characters take the direction of their neighbours where those agree, else the line's (N1, N2). */
function settleNeutrals(directions: Direction[]): void {
  const isRead = (each: Direction | undefined) => each === "R" || each === "number";
  for (let start = 0; start < directions.length; start++) {
    if (directions[start] !== "neutral") continue;
    let end = start;
    while (directions[end] === "neutral") end++;
    const isInside = isRead(directions[start - 1]) && isRead(directions[end]);
    directions.fill(isInside ? "R" : "L", start, end);
    start = end;
  }
}

/** From the deepest level up, every run of that level or deeper is reversed (rule L2). */
function reordered<T extends { level: number }>(runs: T[]): T[] {
  const ordered = [...runs];
  for (let level = 2; level >= 1; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      if (end > start) {
        ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
        start = end;
      }
    }
  }
  return ordered;
}
