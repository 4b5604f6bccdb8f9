import { confidenceOf, assess } from "./confidence.ts";
import type { Nomenclature } from "./nomenclature.ts";
import { rankSubheadings } from "./rank.ts";
import { readGoods } from "./read-goods.ts";
import type { TradeVocabulary } from "./trade-vocabulary.ts";

/** The data by which goods are classified. */
export interface Knowledge {
  nomenclature: Nomenclature;
  trade: TradeVocabulary;
}

export interface GoodsClassified {
  /** Null when no word matches anything. */
  hs_code: string | null;
  description: string | null;
  /** The probability that the code is right, from 0 to 1. */
  confidence: number;
  /** Up to four others, the more probable first; none is more probable than the code. */
  alternatives: { hs_code: string; description: string; confidence: number }[];
}

const alternativesMost = 4;

/** Classifies goods to six digits by their title and description, in a millisecond or a few. */
export function classifyGoods(
  texts: { title: string; description: string },
  knowledge: Knowledge,
): GoodsClassified {
  const goods = readGoods(texts, knowledge.trade);
  const ranking = rankSubheadings(goods, knowledge.nomenclature);
  const confidence = confidenceOf(assess(ranking, goods, knowledge));
  const [first, ...others] = ranking.ranked;
  const next = others.slice(0, alternativesMost);
  const sum = next.reduce((total, { score }) => total + score, 0);
  const describe = (code: string) => descriptionOf(code, knowledge.nomenclature);
  return {
    hs_code: first?.code ?? null,
    description: first ? describe(first.code) : null,
    confidence,
    alternatives: next.map(({ code, score }) => ({
      hs_code: code,
      description: describe(code),
      confidence: hundredths(Math.min(confidence, ((1 - confidence) * elsewhere * score) / sum)),
    })),
  };
}

/** The share of cases with a wrong first code in which one of the alternatives is right. */
const elsewhere = 0.4;

function hundredths(part: number): number {
  return Math.round(part * 100) / 100;
}

/** The wording of a code, capitalised. */
function descriptionOf(code: string, { wordings }: Nomenclature): string {
  const wording = wordings.get(code) ?? "";
  return wording.charAt(0).toUpperCase() + wording.slice(1);
}
