import { afterAll, expect } from "vitest";
import { inspection } from "../../src/database/driver/inspect.ts";
import { eventFaults } from "./event-data.ts";
import { askedInProcess, isAskedByProduct } from "./who-asks.ts";

/**
 * Runs in every test file: the statements that the product sends are checked against the rules once the file
 * has ended, and the events that it writes against their catalogue. A test's own statements are not checked.
 */

const texts = new Set<string>();
const others = new Map<string, number>();
/** A text that was the test's in so many checks counts as the test's. */
const askingsMax = 20;

const faults = new Set<string>();

inspection.see = (text, values) => {
  for (const fault of eventFaults(text, values)) faults.add(fault);
  if (texts.has(text)) return;
  const askings = others.get(text) ?? 0;
  if (askings >= askingsMax) return;
  if (askedInProcess.has(text) || isAskedByProduct()) {
    texts.add(text);
    askedInProcess.add(text);
  } else others.set(text, askings + 1);
};

afterAll(async () => {
  expect([...faults], "events that are not as the catalogue has them").toEqual([]);
  if (texts.size === 0) return;
  const { judgeStatements } = await import("./judge-statements.ts");
  await judgeStatements(texts);
  // The comparison of the readers of criteria sends thousands of texts.
}, 180_000);
