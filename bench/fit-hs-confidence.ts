import { readFileSync } from "node:fs";
import { assess, type Evidence } from "../server/src/domain/hs/confidence.ts";
import { rankSubheadings } from "../server/src/domain/hs/rank.ts";
import { readGoods } from "../server/src/domain/hs/read-goods.ts";
import { isUnseen, readProducts, readTerms, shippedKnowledge } from "./hs-products.ts";

/**
 * Fits the coefficients of `server/src/domain/hs/confidence.ts` anew, after the trade vocabulary has changed:
 *
 *   node_modules/.bin/node bench/fit-hs-confidence.ts <hscodecomp.jsonl> <vague terms> <terms with codes>
 *
 * Vague terms are one a line, terms with codes a JSON list of `{term, hs6}`. Logistic regression by plain descent, on
 * the products not used for the vocabulary, on short terms, and on terms too vague to classify. It prints
 * the quality on parts that it was not fitted to, then the coefficients.
 */

interface Sample {
  id: string;
  evidence: number[];
  is_right: number;
  weight: number;
}

const names = [
  "score",
  "lead_over_heading",
  "lead_over_code",
  "is_cued",
  "names",
  "is_named",
  "known_words",
  "coverage",
] as const satisfies readonly (keyof Evidence)[];
/** There are many more terms than products. */
const termWeight = 0.12;
const parts = 5;

const [productsFile, vagueFile, termsFile] = process.argv.slice(2);
if (!productsFile || !vagueFile || !termsFile)
  throw new Error("usage: bench/fit-hs-confidence.ts <products> <vague terms> <terms with codes>");
const knowledge = shippedKnowledge();
const products = readProducts(productsFile)
  .filter(isUnseen)
  .flatMap(({ id, hs6, ...texts }) => [
    sample({ id, hs6, ...texts, description: "" }),
    sample({ id, hs6, ...texts }),
  ]);
const named = JSON.parse(readFileSync(termsFile, "utf8")) as { term: string; hs6: string }[];
const terms = [...readTerms(vagueFile).map((term) => ({ term, hs6: null })), ...named].map(
  ({ term, hs6 }) => sample({ id: term, title: term, description: "", hs6, weight: termWeight }),
);

function sample({
  id,
  hs6,
  weight = 1,
  ...texts
}: {
  id: string;
  title: string;
  description: string;
  /** Null when no code would be right. */
  hs6: string | null;
  weight?: number;
}): Sample {
  const goods = readGoods(texts, knowledge.trade);
  const ranking = rankSubheadings(goods, knowledge.nomenclature);
  const evidence = assess(ranking, goods, knowledge)?.evidence;
  return {
    id,
    evidence: names.map((name) => evidence?.[name] ?? 0),
    is_right: Number(hs6 !== null && ranking.ranked[0]?.code === hs6),
    weight,
  };
}

const probability = ([intercept = 0, ...coefficients]: readonly number[], { evidence }: Sample) =>
  1 /
  (1 + Math.exp(-evidence.reduce((sum, value, at) => sum + value * coefficients[at]!, intercept)));

function fit(samples: readonly Sample[]): number[] {
  let coefficients = new Array<number>(names.length + 1).fill(0);
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  for (let round = 0; round < 4_000; round++) {
    const slope = coefficients.map((coefficient, at) => (at === 0 ? 0 : 0.001 * coefficient));
    for (const each of samples) {
      const error = ((probability(coefficients, each) - each.is_right) * each.weight) / total;
      slope[0]! += error;
      for (const [at, value] of each.evidence.entries()) slope[at + 1]! += error * value;
    }
    coefficients = coefficients.map((coefficient, at) => coefficient - slope[at]!);
  }
  return coefficients;
}

const partOf = ({ id }: Sample) =>
  [...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % parts;
const assessment = Array.from({ length: parts }, (_, part) => {
  const others = [...products, ...terms].filter((each) => partOf(each) !== part);
  const coefficients = fit(others);
  const own = products.filter((each) => partOf(each) === part);
  return own.map((each) => ({ said: probability(coefficients, each), is_right: each.is_right }));
}).flat();
for (let from = 0; from < 1; from += 0.2) {
  const bin = assessment.filter(({ said }) => said >= from && said < from + 0.2);
  const right = bin.reduce((sum, { is_right }) => sum + is_right, 0) / bin.length;
  const said = bin.reduce((sum, each) => sum + each.said, 0) / bin.length;
  console.log(`${bin.length} said ${said.toFixed(2)}, right ${right.toFixed(2)}`);
}

const [intercept, ...coefficients] = fit([...products, ...terms]);
console.log(`intercept: ${intercept!.toFixed(2)}`);
for (const [at, name] of names.entries()) console.log(`${name}: ${coefficients[at]!.toFixed(2)}`);
