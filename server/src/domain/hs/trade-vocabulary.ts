import { wordsOf } from "./words.ts";

/**
 * Merchants' terms for goods, read from the files beside the nomenclature: names of goods, and by
 * which cues (material, who wears it, how it is made) goods of one name are divided among subheadings.
 */

export interface TradeVocabulary {
  /** The goods that a phrase names, by the phrase's words joined with a space. */
  goods: ReadonlyMap<string, readonly Naming[]>;
  /** The cues that a phrase gives, by the same key. */
  cues: ReadonlyMap<string, readonly string[]>;
  /** The most words of any phrase. */
  longest: number;
}

/** One name of some goods. */
export interface Naming {
  article: Article;
  /** The name is weak by itself: a box of what? */
  is_weak: boolean;
}

/** Goods of one or several names, and their subheadings. */
export interface Article {
  /** Its first name, for people. */
  name: string;
  choices: readonly Choice[];
}

export interface Choice {
  code: string;
  /** All of them must be given. */
  cues: readonly string[];
  /** None of them may be. */
  not: readonly string[];
}

/** Reads the files' text. Throws an error that quotes the line where it is not in their format. */
export function readTradeVocabulary(text: string): TradeVocabulary {
  const goods = new Map<string, Naming[]>();
  const cues = new Map<string, string[]>();
  const add = <T>(map: Map<string, T[]>, phrase: string, value: T) => {
    const key = keyOf(phrase);
    const known = map.get(key);
    if (known) known.push(value);
    else map.set(key, [value]);
  };
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const group = /^(@\w+) = (.+)$/.exec(line);
    if (group) for (const phrase of listed(group[2]!)) add(cues, phrase, group[1]!);
    else readArticle(line, { name: (phrase, naming) => add(goods, phrase, naming), cues, add });
  }
  const phrases = [...goods.keys(), ...cues.keys()];
  const longest = Math.max(...phrases.map((phrase) => phrase.split(" ").length));
  return { goods, cues, longest };
}

interface Sink {
  name(phrase: string, naming: Naming): void;
  cues: Map<string, string[]>;
  add(map: Map<string, string[]>, phrase: string, value: string): void;
}

function readArticle(line: string, { name, cues, add }: Sink): void {
  const [names = "", choicesText] = line.split(/:(?!\d)/);
  if (choicesText === undefined) throw new Error(`no goods are named in: ${line}`);
  const choices = choicesText.split("|").map((choice) => readChoice(choice.trim(), line));
  for (const cue of new Set(choices.flatMap((choice) => [...choice.cues, ...choice.not]))) {
    // A cue of its own, and no group: it is given by its words.
    if (!cue.startsWith("@") && !cues.get(keyOf(cue))?.includes(cue)) add(cues, cue, cue);
  }
  const phrases = listed(names);
  const article = { name: phrases[0]!.replace("?", ""), choices };
  for (const phrase of phrases) {
    name(phrase.replace("?", ""), { article, is_weak: phrase.endsWith("?") });
  }
}

function readChoice(text: string, line: string): Choice {
  const found = /^(?:(.+) )?(\d{6})$/.exec(text);
  if (!found) throw new Error(`"${text}" is no choice in: ${line}`);
  const parts = (found[1] ?? "").split(/[+ ]+/).filter((part) => part !== "");
  return {
    code: found[2]!,
    cues: parts.filter((part) => !part.startsWith("!")).map(cueName),
    not: parts.filter((part) => part.startsWith("!")).map((part) => cueName(part.slice(1))),
  };
}

/** Cues of one word are stored by its one form, so that two lines name the same cue. */
function cueName(text: string): string {
  return text.startsWith("@") ? text : keyOf(text);
}

function keyOf(phrase: string): string {
  return wordsOf(phrase.replaceAll("_", " ")).join(" ");
}

function listed(text: string): string[] {
  return text.split(",").map((phrase) => phrase.trim());
}
