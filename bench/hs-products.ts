import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { buildNomenclature } from "../server/src/domain/hs/nomenclature.ts";
import type { Knowledge } from "../server/src/domain/hs/classify-goods.ts";
import {
  readShippedTable,
  readShippedTradeVocabulary,
} from "../server/src/providers/classification/shipped.ts";

/** Products with codes by experts, for measuring: a file of JSON lines in the form of HSCodeComp. */

export interface LabelledProduct {
  id: string;
  title: string;
  /** As a shop shows it: the path of its category, and the attributes one a line. */
  description: string;
  hs6: string;
}

export function readProducts(file: string): LabelledProduct[] {
  return readLines(file).map((line) => {
    const { id, title, attributes, category, hs6 } = JSON.parse(line) as {
      id: string;
      title: string;
      attributes: Record<string, string>;
      category: string[];
      hs6: string;
    };
    const pairs = Object.entries(attributes).map(([key, value]) => `${key}: ${value}`);
    return { id, title, description: [category.join(" > "), ...pairs].join("\n"), hs6 };
  });
}

/** Terms too vague to classify by, one a line. */
export function readTerms(file: string): string[] {
  return readLines(file).map((line) => line.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
}

function readLines(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/**
 * Whether this product was not used while the trade vocabulary was written: half of them, by a hash of
 * the id. Only these measure the classifier on goods that it has never seen.
 */
export function isUnseen({ id }: { id: string }): boolean {
  return createHash("sha256").update(id).digest().at(-1)! % 2 === 1;
}

export function shippedKnowledge(): Knowledge {
  return {
    nomenclature: buildNomenclature(readShippedTable()),
    trade: readShippedTradeVocabulary(),
  };
}
