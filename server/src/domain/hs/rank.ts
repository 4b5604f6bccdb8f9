import type { Nomenclature } from "./nomenclature.ts";
import type { GoodsRead, Named } from "./read-goods.ts";
import type { Article, Choice } from "./trade-vocabulary.ts";

/** Subheadings in the order of their probability for goods, and the evidence for the first. */

interface Ranked {
  code: string;
  score: number;
}

export interface Ranking {
  ranked: readonly Ranked[];
  /** The goods named, strongest first; empty when only the nomenclature's own words were found. */
  articles: readonly NamedArticle[];
}

interface NamedArticle {
  article: Article;
  weight: number;
  choices: readonly Chosen[];
}

interface Chosen {
  code: string;
  /** How well its required cues were matched; 0 for the one without any. */
  fit: number;
  /** The cues include a material, a wearer or how it is made, and not only another thing. */
  is_by_nature: boolean;
  is_possible: boolean;
}

/** The share of its goods' weight for a choice without matching cues, so that it is an alternative. */
const otherwise = 0.45;
const unfit = 0.25;
/** Further names of the same subheading confirm it, each less than the one before. */
const confirmation = 0.35;
const textShare = 0.055;
const textMost = 1.1;

export function rankSubheadings(goods: GoodsRead, nomenclature: Nomenclature): Ranking {
  const articles = articlesOf(goods);
  const votes = new Map<string, number[]>();
  for (const { weight, choices } of articles) {
    const best = choices[0]!;
    for (const choice of choices) {
      const share = choice === best ? 1 : choice.is_possible ? otherwise : unfit;
      vote(votes, choice.code, weight * share);
    }
  }
  const text = searchWordings(goods, nomenclature);
  for (const [code, score] of text) vote(votes, code, Math.min(textMost, score * textShare));
  const ranked = [...votes]
    .filter(([code]) => nomenclature.wordings.has(code))
    .map(([code, given]) => ({ code, score: total(given) }))
    .sort((a, b) => b.score - a.score || (a.code < b.code ? -1 : 1));
  return { ranked, articles };
}

function vote(votes: Map<string, number[]>, code: string, weight: number): void {
  const known = votes.get(code);
  if (known) known.push(weight);
  else votes.set(code, [weight]);
}

function total(weights: number[]): number {
  weights.sort((a, b) => b - a);
  return weights.reduce((sum, weight, place) => sum + weight * confirmation ** place, 0);
}

/** Each kind of goods once, as strongly as its best name; further names confirm it. */
function articlesOf({ named, cues }: GoodsRead): NamedArticle[] {
  const byArticle = new Map<Article, Named[]>();
  for (const each of named) {
    const known = byArticle.get(each.naming.article);
    if (known) known.push(each);
    else byArticle.set(each.naming.article, [each]);
  }
  return [...byArticle]
    .map(([article, names]) => ({
      article,
      weight: total(names.map(({ weight }) => weight)),
      choices: choose(article, cues),
    }))
    .sort((a, b) => b.weight - a.weight);
}

/** The choices with the best match of cues first; of equals, the one listed first. */
function choose(article: Article, cues: ReadonlyMap<string, number>): Chosen[] {
  return article.choices
    .map((choice) => ({ code: choice.code, ...fitOf(choice, cues) }))
    .sort((a, b) => Number(b.is_possible) - Number(a.is_possible) || b.fit - a.fit);
}

function fitOf({ cues: wanted, not }: Choice, cues: ReadonlyMap<string, number>) {
  const is_possible = wanted.every((cue) => cues.has(cue)) && !not.some((cue) => cues.has(cue));
  const fit = wanted.reduce((sum, cue) => sum + (cues.get(cue) ?? 0), 0);
  const is_by_nature = wanted.some((cue) => cue.startsWith("@"));
  return { fit, is_possible, is_by_nature };
}

/** How well each subheading's wording matches the words (BM25); only those with a match. */
function searchWordings(goods: GoodsRead, { index }: Nomenclature): Map<string, number> {
  const scores = new Map<string, number>();
  for (const [word, weight] of goods.words) {
    for (const posting of index.get(word) ?? []) {
      scores.set(posting.code, (scores.get(posting.code) ?? 0) + posting.weight * weight);
    }
  }
  return scores;
}
