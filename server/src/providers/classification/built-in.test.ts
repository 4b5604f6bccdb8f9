import fc from "fast-check";
import { expect, test } from "vitest";
import { classifyGoods, type Knowledge } from "../../domain/hs/classify-goods.ts";
import { buildNomenclature } from "../../domain/hs/nomenclature.ts";
import { readTradeVocabulary } from "../../domain/hs/trade-vocabulary.ts";
import { builtInClassifier } from "./built-in.ts";
import { startSearch } from "./search.ts";
import { readShippedTable, readShippedTradeVocabulary } from "./shipped.ts";

const table = readShippedTable();
const shipped: Knowledge = {
  nomenclature: buildNomenclature(table),
  trade: readShippedTradeVocabulary(),
};
const classify = (title: string, description = "") =>
  classifyGoods({ title, description }, shipped);

test("the shipped table has every chapter in use, and each code is under its heading and chapter", () => {
  const codes = new Set(table.map(({ code }) => code));
  for (const code of codes) {
    expect(code).toMatch(/^(\d\d){1,3}$/);
    for (let digits = code.length - 2; digits > 0; digits -= 2)
      expect(codes).toContain(code.slice(0, digits));
  }
  expect(table.filter(({ code }) => code.length === 6).length).toBeGreaterThan(5_600);
  expect(table.filter(({ wording }) => wording.trim() === "")).toEqual([]);
});

test("every code that the trade vocabulary names is in the shipped table", () => {
  const named = [...shipped.trade.goods.values()].flat().flatMap(({ article }) => article.choices);
  const unknown = named.filter(({ code }) => !shipped.nomenclature.wordings.has(code));
  expect(unknown).toEqual([]);
});

test("the last choice of all goods needs no cue, so that there always is one", () => {
  const articles = new Set([...shipped.trade.goods.values()].flat().map(({ article }) => article));
  for (const { name, choices } of articles)
    expect([name, choices.at(-1)!.cues]).toEqual([name, []]);
});

test.each([
  ["Men's organic cotton T-shirt, short sleeves", "", "610910"],
  ["Polyester T-shirt for women, printed", "", "610990"],
  ["Slim fit jeans for men, stretch denim", "", "620342"],
  ["Hand-thrown stoneware coffee mug, 350 ml", "", "691200"],
  ["Coffee mug", "Material: borosilicate glass", "701337"],
  ["Silicone phone case for iPhone 15", "", "392690"],
  ["USB-C wall charger 65W", "", "850440"],
  ["Stainless steel chef knife with wooden handle", "", "821192"],
  ["Wireless bluetooth earbuds with charging case", "", "851830"],
  ["Sterling silver necklace with heart pendant", "", "711311"],
  ["Soy wax scented candle in glass jar, lavender", "", "340600"],
  ["Plush teddy bear for toddlers", "", "950300"],
  ["Leather wallet for men, bifold", "", "420231"],
  ["Ground coffee, dark roast, 1 kg", "", "090121"],
  ["Dog leash, reflective nylon", "", "420100"],
  ["Zinc oxide powder", "", "281700"],
])("%s (%s) belongs to %s", (title, description, code) => {
  expect(classify(title, description).hs_code).toBe(code);
});

test("the purpose of goods does not decide what they are", () => {
  expect(classify("Case for watches").hs_code?.slice(0, 2)).not.toBe("91");
  expect(classify("Leather strap for guitar").hs_code?.slice(0, 2)).not.toBe("92");
});

test.each([
  "sneakers",
  "black, l/xl 18-22",
  "parts",
  "gift",
  "1 x",
  "sample",
  "womens clothing",
  "general goods",
  "Kleidung",
  "beställning 4411",
  "xcvb qwer",
  "set",
])("%j says too little for certainty", (title) => {
  expect(classify(title).confidence).toBeLessThan(0.5);
});

test.each(["", "…", "衣服", "🙂🙂", "--", "constructor toString __proto__"])(
  "%j has no code at all",
  (title) => {
    expect(classify(title)).toEqual({
      hs_code: null,
      description: null,
      confidence: 0,
      alternatives: [],
    });
  },
);

test("three to five alternatives are other codes, none more probable than the code", () => {
  const { hs_code, confidence, alternatives } = classify("Men's cotton shirt, long sleeves");
  expect(alternatives.length).toBeGreaterThanOrEqual(3);
  expect(alternatives.length).toBeLessThanOrEqual(5);
  expect(new Set([hs_code, ...alternatives.map((each) => each.hs_code)]).size).toBe(
    alternatives.length + 1,
  );
  for (const each of alternatives) expect(each.confidence).toBeLessThanOrEqual(confidence);
});

test("any text at all gets a result within its bounds", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ maxLength: 3_000 }),
  );
  fc.assert(
    fc.property(text, text, (title, description) => {
      const { hs_code, confidence, alternatives } = classify(title, description);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      for (const code of [hs_code, ...alternatives.map((each) => each.hs_code)])
        if (code !== null) expect(shipped.nomenclature.wordings.has(code)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("a description of a megabyte is read as far as it adds something new", () => {
  const title = "Cotton T-shirt";
  const short = classify(title, "soft ".repeat(1_600));
  expect(classify(title, "soft ".repeat(200_000))).toEqual(short);
});

test("a description that is padded with white space gives the same result as without", () => {
  const title = "Coffee mug";
  const plain = classify(title, "Material: borosilicate glass");
  for (const space of [" ", "\t", "\u00a0", "\u3000"]) {
    const padding = space.repeat(3_000);
    expect(classify(title, `Material${padding}:${space}borosilicate glass`)).toEqual(plain);
  }
});

test("a line that is not in the format of the trade vocabulary is quoted", () => {
  expect(() => readTradeVocabulary("mug, cup 691200")).toThrow("mug, cup 691200");
  expect(() => readTradeVocabulary("mug: @glass 7013")).toThrow("@glass 7013");
});

const goods = {
  title: "Cotton T-shirt",
  description: "",
  sku: null,
  country_of_origin: null,
  destination_country: null,
};

test("a table that the operator has loaded replaces the shipped one, at once", async () => {
  let version = 0;
  const classifier = builtInClassifier(
    {
      version: async () => version,
      entries: async () => [
        { code: "6109", wording: "T-shirts" },
        { code: "610910", wording: "official words for T-shirts of cotton" },
      ],
    },
    startSearch(),
  );
  expect((await classifier.classify(goods)).hs_code).toBe("610910");
  version = 1;
  const found = await classifier.classify(goods);
  expect(found).toMatchObject({
    hs_code: "610910",
    description: "Official words for T-shirts of cotton",
  });
  expect(found.alternatives).toEqual([]);
});

test("a database that was unavailable once is queried again", async () => {
  let isAway = true;
  const classifier = builtInClassifier(
    {
      version: async () => 1,
      entries: async () => {
        if (isAway) throw new Error("unavailable");
        return [{ code: "610910", wording: "T-shirts of cotton" }];
      },
    },
    startSearch(),
  );
  await expect(classifier.classify(goods)).rejects.toThrow("unavailable");
  isAway = false;
  expect((await classifier.classify(goods)).hs_code).toBe("610910");
});
