import { classifyGoods } from "../server/src/domain/hs/classify-goods.ts";
import {
  isUnseen,
  readProducts,
  readTerms,
  shippedKnowledge,
  type LabelledProduct,
} from "./hs-products.ts";

/**
 * How often the built-in classifier is right, and whether its confidence tells when it is not:
 *
 *   node_modules/.bin/node bench/hs.ts <hscodecomp.jsonl> [<vague terms>]
 */

const [productsFile, vagueFile] = process.argv.slice(2);
if (!productsFile) throw new Error("usage: bench/hs.ts <hscodecomp.jsonl> [<vague terms>]");

const started = performance.now();
const knowledge = shippedKnowledge();
console.log(`index made in ${Math.round(performance.now() - started)} ms`);

interface Said {
  product: LabelledProduct;
  hs_code: string;
  confidence: number;
  /** One of the code and its alternatives is right. */
  is_among: boolean;
  ms: number;
}

function classify(product: LabelledProduct, description: string): Said {
  const from = performance.now();
  const found = classifyGoods({ title: product.title, description }, knowledge);
  const codes = [found.hs_code, ...found.alternatives.map(({ hs_code }) => hs_code)];
  return {
    product,
    hs_code: found.hs_code ?? "",
    confidence: found.confidence,
    is_among: codes.includes(product.hs6),
    ms: performance.now() - from,
  };
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

function rowOf(name: string, said: readonly Said[]): string {
  const right = (digits: number) =>
    said.filter(
      ({ hs_code, product }) => hs_code.slice(0, digits) === product.hs6.slice(0, digits),
    );
  const cells = [2, 4, 6].map((digits) => percent(right(digits).length, said.length));
  const among = percent(said.filter(({ is_among }) => is_among).length, said.length);
  return `| ${[name, said.length, ...cells, among].join(" | ")} |`;
}

const products = readProducts(productsFile);
const byTitle = products.map((product) => classify(product, ""));
const byAll = products.map((product) => classify(product, product.description));
const unseen = (said: readonly Said[]) => said.filter(({ product }) => isUnseen(product));

console.log("| products | n | 2 digits | 4 digits | 6 digits | code or an alternative |");
console.log("|---|---|---|---|---|---|");
console.log(rowOf("unseen, title alone", unseen(byTitle)));
console.log(rowOf("unseen, with category and attributes", unseen(byAll)));
console.log(rowOf("all, title alone", byTitle));
console.log(rowOf("all, with category and attributes", byAll));

console.log("\n| confidence | unseen products | said | right |");
console.log("|---|---|---|---|");
const both = [...unseen(byTitle), ...unseen(byAll)];
for (let from = 0; from < 1; from += 0.2) {
  const bin = both.filter(({ confidence }) => confidence >= from && confidence < from + 0.2);
  if (bin.length === 0) continue;
  const said = bin.reduce((sum, { confidence }) => sum + confidence, 0);
  const right = bin.filter(({ hs_code, product }) => hs_code === product.hs6).length;
  const name = `${from.toFixed(1)}–${(from + 0.2).toFixed(1)}`;
  console.log(
    `| ${[name, bin.length, percent(said, bin.length), percent(right, bin.length)].join(" | ")} |`,
  );
}

const times = byAll.map(({ ms }) => ms).sort((a, b) => a - b);
const at = (part: number) => times[Math.floor(times.length * part)]!.toFixed(1);
console.log(`\none classification: median ${at(0.5)} ms, 99 % under ${at(0.99)} ms`);

if (vagueFile) {
  const terms = readTerms(vagueFile);
  const sure = terms
    .map((title) => ({ title, ...classifyGoods({ title, description: "" }, knowledge) }))
    .filter(({ confidence }) => confidence >= 0.5);
  console.log(
    `${terms.length} vague terms, ${sure.length} of them with a confidence of 0.5 or more`,
  );
  for (const { title, hs_code, confidence } of sure)
    console.log(`  ${title}: ${hs_code} ${confidence}`);
}
