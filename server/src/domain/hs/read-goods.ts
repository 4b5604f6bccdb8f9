import type { Naming, TradeVocabulary } from "./trade-vocabulary.ts";
import { wordsOf } from "./words.ts";

/**
 * The content of a title and a description: which goods are named how strongly, which cues are given, and
 * the words.
 */

export interface GoodsRead {
  named: readonly Named[];
  /** Each cue with its weight: 1 in the title, less in the description. */
  cues: ReadonlyMap<string, number>;
  /** Every word with its weight, for the search in the nomenclature. */
  words: ReadonlyMap<string, number>;
  title_words: readonly string[];
}

export interface Named {
  naming: Naming;
  weight: number;
}

/** Longer texts add nothing, and a megabyte must not take its time. */
const titleChars = 1_000;
export const descriptionChars = 8_000;

/** Reads both texts. Never throws, whatever is in them. */
export function readGoods(
  { title, description }: { title: string; description: string },
  trade: TradeVocabulary,
): GoodsRead {
  const reading: Reading = { trade, named: [], cues: new Map(), words: new Map() };
  const title_words = wordsOf(title.slice(0, titleChars));
  readPart(reading, { words: title_words, weight: 1, is_title: true });
  for (const part of partsOf(description.slice(0, descriptionChars))) readPart(reading, part);
  return { named: reading.named, cues: reading.cues, words: reading.words, title_words };
}

interface Reading {
  trade: TradeVocabulary;
  named: Named[];
  cues: Map<string, number>;
  words: Map<string, number>;
}

interface Part {
  words: string[];
  weight: number;
  is_title?: boolean;
  /** The material of the goods, which names no goods. */
  is_only_cues?: boolean;
}

const cueWeight = 0.7;

function readPart(reading: Reading, part: Part): void {
  const { words, weight } = part;
  const say = part.is_title ? 1 : cueWeight;
  let goodsEnd = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    reading.words.set(word, Math.max(reading.words.get(word) ?? 0, weight));
    for (let length = Math.min(reading.trade.longest, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length).join(" ");
      for (const cue of reading.trade.cues.get(phrase) ?? []) {
        if (isAbout(words, at, cue)) raise(reading.cues, cue, say);
      }
      const namings = part.is_only_cues ? undefined : reading.trade.goods.get(phrase);
      // A name within a longer name belongs to that one: a paper towel is no towel.
      if (!namings || at + length <= goodsEnd) continue;
      goodsEnd = at + length;
      const strength = weight * strengthOf(words, at, length);
      for (const naming of namings) {
        reading.named.push({ naming, weight: naming.is_weak ? strength / 2 : strength });
      }
    }
  }
}

/** Whether a cue is about the goods themselves: not about their handle, or the jar that they come in. */
function isAbout(words: readonly string[], at: number, cue: string): boolean {
  const before = words.slice(Math.max(0, at - companionReach), at);
  if (before.some((word) => companionWords.has(word))) return false;
  return cue.startsWith("@") || !before.includes("in");
}

function raise(map: Map<string, number>, key: string, value: number): void {
  if ((map.get(key) ?? 0) < value) map.set(key, value);
}

const purposeWords = new Set(["for", "fit", "compatible", "replace", "para", "pour"]);
const companionWords = new Set(["with", "without", "include", "including", "w", "plus"]);
const likenessWords = new Set([
  "shape",
  "shaped",
  "style",
  "design",
  "pattern",
  "like",
  "print",
  "themed",
]);
/** Goods made by a machine are not the machine. */
const machineWords = new Set(["machine", "machinery", "equipment"]);
const reach = 5;
const companionReach = 3;

/**
 * How strongly a name at that position names the goods: a longer name more; their purpose or
 * accessories less; what they only look like the least.
 */
function strengthOf(words: readonly string[], at: number, length: number): number {
  let strength = 1 + 0.25 * (length - 1);
  const before = words.slice(Math.max(0, at - reach), at);
  if (before.some((word) => purposeWords.has(word))) strength *= 0.5;
  else if (before.slice(-companionReach).some((word) => companionWords.has(word))) strength *= 0.5;
  if (likenessWords.has(words[at + length] ?? "")) strength *= 0.35;
  if (words.slice(at + length, at + length + companionReach).some((word) => machineWords.has(word)))
    strength *= 0.5;
  return strength * (1 + 0.4 * Math.max(0, 1 - at / 10));
}

/** Attributes about a parcel's origin and size, not its content. */
const idleKeys =
  /package|packag|measure|origin|^cn$|brand|model|chemical|sold|each pack|choice|certif|feature|season|occasion|style|compatib|quantity|size|color|colour|weight|age|logo/i;
const materialKeys = /material|metal|fabric|composition|lining|sole|gender|department/i;
const kindKeys = /item type|product type|^type$|category|kind|^name$/i;
const plainWeight = 0.45;
const kindWeight = 0.6;

/**
 * A description in parts: `Material: Cotton` gives a cue, `Bags > Wallets` names a kind, prose is read as
 * text.
 */
function partsOf(description: string): Part[] {
  const text = description.replace(/<[^<>]{0,500}>/g, " ");
  return text.split(/[\n\r;|•]+|(?<=[.!?])\s/).flatMap((given): Part[] => {
    // Some catalogues pad their texts; runs of white space would also be tried at each position.
    const line = given.replace(/\s+/g, " ").trim();
    const path = line.split(/\s[>›/]\s/);
    const pair = /^["']?([\p{L}\p{N} \\()/_-]{1,40})["']? ?[:=] ?(.+)$/u.exec(line);
    if (pair) return pairParts(pair[1]!.trim(), pair[2]!);
    if (path.length > 1 && line.length < 300) return pathParts(path);
    return [{ words: wordsOf(line), weight: plainWeight }];
  });
}

function pairParts(key: string, value: string): Part[] {
  if (/^["'\s]*(none|no|n\/a|other|others)["'\s,]*$/i.test(value)) return [];
  if (kindKeys.test(key)) return pathParts(value.split(/\s[>›/]\s/));
  if (idleKeys.test(key)) return [];
  if (materialKeys.test(key))
    return [{ words: wordsOf(value), weight: plainWeight, is_only_cues: true }];
  return [{ words: wordsOf(value), weight: plainWeight / 2 }];
}

/** The last step of a path names the goods, the others only the department. */
function pathParts(path: readonly string[]): Part[] {
  return path.map((step, index) => ({
    words: wordsOf(step),
    weight: index === path.length - 1 ? kindWeight : plainWeight / 3,
  }));
}
