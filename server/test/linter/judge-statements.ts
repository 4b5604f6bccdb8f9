import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { loadModule } from "libpg-query";
import { inject } from "vitest";
import { allowed, usageOf } from "./allowed-statements.ts";
import { lintStatement, rules } from "./lint-statement.ts";

interface Judgement {
  used: string[];
  refused: string[];
}

/** Most files of a process make the product send the same statements, and to parse one takes a millisecond. */
const known = new Map<string, Judgement>();

/** The entries that a statement needs, and its violations that no entry allows. */
export function judge(text: string): Judgement {
  const judged = known.get(text) ?? judgeAnew(text);
  known.set(text, judged);
  return judged;
}

function judgeAnew(text: string): Judgement {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  const used: string[] = [];
  const refused: string[] = [];
  for (const { rule, at } of lintStatement(text)) {
    const broken = `${rule} ${at}`;
    const entry = allowed.find(
      ({ statement, breaks }) =>
        plain.includes(statement) && breaks.some((each) => each === broken),
    );
    if (entry) used.push(usageOf(entry.statement, broken));
    else refused.push(`${broken}: ${rules[rule]}\n  ${plain}`);
  }
  return { used, refused };
}

/** Throws for statements that break a rule and are not on the list, and records which entries were needed. */
export async function judgeStatements(texts: ReadonlySet<string>): Promise<void> {
  await loadModule();
  const judged = [...texts].map(judge);
  const used = judged.flatMap((each) => each.used);
  appendFileSync(join(inject("statements").folder, "used"), used.map((use) => `${use}\n`).join(""));
  const refused = judged.flatMap((each) => each.refused);
  if (refused.length > 0)
    throw new Error(
      `Statements break rules of docs/adr/0025-statements-by-rules.md. Rewrite them, or state the reason in server/test/linter/open-exceptions.ts:\n${refused.join("\n")}`,
    );
}
