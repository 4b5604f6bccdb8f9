import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parse } from "csv-parse/sync";

/**
 * Makes `server/data/hs/codes.tsv`, the nomenclature that the product ships, from an official table:
 *
 *   node scripts/derive-hs-table.ts <harmonized-system.csv> server/data/hs/codes.tsv
 *
 * Where `common-wordings.tsv` beside it has a wording for a code, that is taken. The codes are facts. The
 * official texts are not copied: each becomes a short list of the words that describe the goods, in a
 * shorthand of its own, without clauses about what belongs elsewhere.
 */

/** The nomenclature's phrases, in shorthand. In order: a later rule applies to the result of earlier ones. */
const shorthand: readonly [RegExp, string][] = [
  [/\(?not knitted or crocheted\)?/gi, "woven"],
  [/knitted or crocheted/gi, "knitted"],
  [/women's or girls'/gi, "women, girls"],
  [/men's or boys'/gi, "men, boys"],
  [/babies'/gi, "babies"],
  [/man-made fibres/gi, "synthetic or artificial"],
  [/wool or fine animal hair/gi, "wool"],
  [/iron or (non-alloy )?steel/gi, "iron, steel"],
  [/containing (\d+)% or more by weight of/gi, "≥$1%"],
  [/containing less than (\d+)% by weight of/gi, "<$1%"],
  [
    /(weighing|of a weight|thickness|width|capacity|output|power|length) (of )?(not more than|not exceeding) ?/gi,
    "≤",
  ],
  [
    /(weighing|of a weight|thickness|width|capacity|output|power|length) (of )?(more than|exceeding) ?/gi,
    ">",
  ],
  [/(\d) ?(kg|g\/m2|mm|cm|kva|kw|w|litres|volts|cc|v|g)\b( or (more|less))?/gi, "$1$2"],
  [/\((?:excluding|other than|not|except)[^()]*\)/gi, ""],
  [/\((?:including|e\.g\.|for example|i\.e\.)([^()]*)\)/gi, ", $1"],
  [/\([^()]*\)/g, ""],
  [/[(),]*\b(whether|regardless|even if)\b[^,;]*/gi, ""],
  [/\bn\.?e\.?c\.?[^,;]*/gi, "other"],
  [/\bnot elsewhere[^,;]*/gi, "other"],
  [/\bother than[^,;]*/gi, "other"],
  [/\b(excluding|except|but not)\b[^,;]*/gi, ""],
  [/\b\d{4}(\.\d+)?\b(?! ?(kg|mm|cm|w|v|g))/g, ""],
  [/\b(of|in) (heading|item|chapter|headings|subheading)s? (no\. ?)?[\d. ,and]*/gi, ""],
  [/\bas specified in[^,;]*/gi, "specified"],
  [/\bparts (and accessories )?(thereof|suitable for use solely or principally with)/gi, "parts"],
  [
    /\b(of a kind|of a type|suitable|intended|designed)( \w+)? (used )?(solely or principally )?(for|in|with|as|to be)\b/gi,
    "for",
  ],
  [/\b(having|containing|consisting|incorporating|comprising)( of)?\b/gi, "with"],
];

const fillers = new Set(
  "a an and are as at be been by for from having in into is it its like no nor not of on or other-than out such than that the their them thereof therefor these this those to used using which similar articles article kind kinds being only also any all mainly principally suitable".split(
    " ",
  ),
);
const longest = 96;

/** `Horses; live, pure-bred breeding animals` → `horses: live, pure-bred breeding animals`. */
function reword(official: string): string {
  let text = official.normalize("NFKC");
  for (const [long, short] of shorthand) text = text.replace(long, short);
  const seen = new Set<string>();
  const [head = "", ...rest] = text.split(";").map((part) => shorten(part, seen));
  const tail = rest.filter((part) => part !== "").join(", ");
  const words = head && tail ? `${head}: ${tail}` : head || tail;
  return words.length <= longest
    ? words
    : words.slice(0, words.lastIndexOf(" ", longest)).replace(/[,:]$/, "");
}

function shorten(part: string, seen: Set<string>): string {
  const terms = part.split(",").map((term) => {
    const words = term
      .toLowerCase()
      .replace(/[^\p{L}\p{N}%≤≥<>.\-/' ]/gu, " ")
      .split(/\s+/);
    return words.filter((word) => isNew(word, seen)).join(" ");
  });
  return terms.filter((term) => term !== "").join(", ");
}

function isNew(word: string, seen: Set<string>): boolean {
  const bare = word.replace(/^[.'-]+|[.'-]+$/g, "");
  if (bare === "" || fillers.has(bare) || seen.has(bare)) return false;
  seen.add(bare);
  return true;
}

const [source, target] = process.argv.slice(2);
if (!source || !target) throw new Error("usage: derive-hs-table.ts <official.csv> <codes.tsv>");
const ours = new Map(
  readFileSync(new URL("common-wordings.tsv", pathToFileURL(target)), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t") as [string, string]),
);
const rows = parse<{ hscode: string; description: string }>(readFileSync(source), {
  columns: true,
});
const lines = rows
  .filter(({ hscode }) => /^(\d\d){1,3}$/.test(hscode))
  // Chapters 98 and 99 are for each country's own use.
  .filter(({ hscode }) => hscode < "98")
  .map(({ hscode, description }) => `${hscode}\t${ours.get(hscode) ?? reword(description)}`);
writeFileSync(target, `${lines.sort().join("\n")}\n`);
console.log(`${lines.length} codes`);
