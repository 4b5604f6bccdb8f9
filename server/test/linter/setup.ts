import { afterAll } from "vitest";
import { inspection } from "../../src/database/driver/inspect.ts";
import { isAskedByProduct } from "./who-asks.ts";

/**
 * Runs in every test file: what the product sends to the database is held against the rules for statements once the
 * file is through. A test's own statements are its own affair.
 */

const texts = new Set<string>();
const others = new Map<string, number>();
/** A text that so many askings were the test's is not the product's. */
const askingsMax = 20;

inspection.see = (text) => {
  if (texts.has(text)) return;
  const askings = others.get(text) ?? 0;
  if (askings >= askingsMax) return;
  if (isAskedByProduct()) texts.add(text);
  else others.set(text, askings + 1);
};

afterAll(async () => {
  if (texts.size === 0) return;
  const { judgeStatements } = await import("./judge-statements.ts");
  await judgeStatements(texts);
});
