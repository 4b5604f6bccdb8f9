import { expect, test } from "vitest";
import { expressionsOf, expressionsOfTheSource } from "./collect.ts";
import { hardTextsFor, type HardText } from "./hard-texts.ts";

/** A text from a client must not block the process: four times as long, it takes four times as long. */

const length = 8_000;
/** What costs less than this at full length needs no comparison: a square of it would cost ten times as much. */
const cheapMicros = 3_000;
const growthMax = 8;

test("every regular expression of the source takes time in proportion to its text", () => {
  const expressions = expressionsOfTheSource();
  expect(expressions.length).toBeGreaterThan(150);
  const slow = expressions.flatMap(({ place, source, flags }) => {
    const hard = hardest(compiled(source, flags));
    return hard ? [`${place} /${source}/${flags} takes long for ${JSON.stringify(hard)}`] : [];
  });
  expect(slow).toEqual([]);
});

test.each([
  String.raw`^\s*[a-z ]{1,40}\s*[:=]`,
  String.raw`\s+$`,
  String.raw`^(\d+\s*)+x`,
  String.raw`<[^>]*>`,
  String.raw`^a*b?a*c`,
])("%s would be detected", (source) => {
  const found = expressionsOf(`const a = { pattern: ${JSON.stringify(source)} };`);
  expect(hardest(compiled(found[0]!.source, found[0]!.flags))).not.toBeNull();
});

test("an expression is found however it is written", () => {
  const found = expressionsOf(
    'const word = "[a-z]+"; /a/giu; new RegExp(`^${word}${unknown}$`, "i"); ({ pattern: word });',
  );
  expect(found.map(({ source, flags }) => `/${source}/${flags}`)).toEqual([
    "/a/giu",
    "/^[a-z]+x$/i",
    "/[a-z]+/u",
  ]);
});

/** Tried at every position of a text, as a search or a replacement would. */
function compiled(source: string, flags: string): RegExp {
  return new RegExp(source, [...new Set(`${flags}g`)].join(""));
}

function hardest(expression: RegExp): HardText | null {
  return hardTextsFor(expression).find((text) => !isLinear(expression, text)) ?? null;
}

function isLinear(expression: RegExp, text: HardText): boolean {
  // From short to long, so that an exponential one is detected while it takes a moment.
  for (const characters of [20, 24, 28, 250, 1_000])
    if (leastOf(5, () => micros(expression, ofLength(text, characters))) > cheapMicros)
      return false;
  const cost = (share: number) => micros(expression, ofLength(text, length * share));
  if (cost(1) < cheapMicros) return true;
  const whole = leastOf(5, () => cost(1));
  return whole < cheapMicros || whole / leastOf(5, () => cost(1 / 4)) < growthMax;
}

/** The least of several, or the first that is little enough. */
function leastOf(times: number, cost: () => number): number {
  let least = Infinity;
  for (let time = 0; time < times && least > cheapMicros; time++) least = Math.min(least, cost());
  return least;
}

/** Of this thread's own processor time, which a busy machine does not make more. */
function micros(expression: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  text.replace(expression, "");
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function ofLength({ before, run, after }: HardText, characters: number): string {
  return before + run.repeat(Math.ceil(characters / run.length)) + after;
}
