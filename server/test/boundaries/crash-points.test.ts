import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { steps } from "../../src/domain/scheduling/step.ts";

/**
 * Every call of `outbound/` to the database or to an outside party happens within a `step`, which has
 * a crash point before and after it. The crash matrix strikes at every one of them, so a call outside
 * a step would be a moment at which no crash is tested.
 */

const folder = "server/src/outbound";
/** The SQL itself, which only steps call. */
const isExempt = (file: string) => file.endsWith("-store.ts");

/** Calls that stay in the process, or that only read between two steps. */
const atHome = [
  "timeoutSeconds",
  "lookUp",
  "complete",
  "canUndo",
  "keptAs",
  "LostLease",
  "mismatchIn",
  "mismatchBy",
];

interface Found {
  calls: string[];
  stray: string[];
  named: string[];
}

function read(name: string, text: string): Found {
  const found: Found = { calls: [], stray: [], named: [] };
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node, isInStep: boolean): void => {
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, (child) => visit(child, isInStep));
    const callee = node.expression.getText(source);
    const isStep = callee === "step";
    if (isStep) found.named.push(nameOf(node.arguments[1]));
    // A transaction handle comes from `inTransaction`, which is checked itself.
    else if (leavesTheProcess(callee) && node.arguments[0]?.getText(source) !== "tx")
      (isInStep ? found.calls : found.stray).push(`${name}: ${callee}`);
    ts.forEachChild(node, (child) => visit(child, isInStep || isStep));
  };
  visit(source, false);
  return found;
}

/** Transactions and stores, and every method of an operation or its recovery. */
function leavesTheProcess(callee: string): boolean {
  const [owner = "", method = ""] = callee.replaceAll(/[?!]/g, "").split(".").slice(-2);
  if (/^in(Account|Shared)?Transaction$/.test(callee)) return true;
  if (/^(keep|undo|send|find|repeat)$/.test(callee)) return true;
  return (
    /^(operation|recovery|store|db)$|[sS]tore$/.test(owner) &&
    method !== "" &&
    !atHome.includes(method)
  );
}

function nameOf(argument: ts.Expression | undefined): string {
  return /name: "(\w+)"/.exec(argument?.getText() ?? "")?.[1] ?? "unnamed";
}

const files = readdirSync(folder).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !isExempt(file),
);

test("every call of outbound/ that leaves the process has a crash point before and after it", () => {
  const all = files.map((file) => read(file, readFileSync(join(folder, file), "utf8")));
  expect(all.flatMap(({ stray }) => stray)).toEqual([]);
  expect(all.flatMap(({ calls }) => calls).length).toBeGreaterThan(12);
  expect([...new Set(all.flatMap(({ named }) => named))].sort()).toEqual([...steps].sort());
});

test.each([
  "await operation.send(attempt, message, signal);",
  "await withDeadline(8, (signal) => operation.undo!(attempt, result, signal));",
  "await inTransaction(outbound.db, (tx) => store.endAttempt(tx, attempt, end));",
  "await inAccountTransaction(outbound.db, attempt.account_id, (tx) => operation.settle(tx, attempt));",
  "void recovery.find(attempt, signal);",
  "return store.stopWatching(outbound.db, attempt);",
  "await keep(attempt, result);",
])("a planted call without one is found: %s", (statement) => {
  expect(read("planted.ts", `async function planted() { ${statement} }`).stray).not.toEqual([]);
  const inStep = `step(outbound, { name: "send", of }, async () => { ${statement} })`;
  expect(read("planted.ts", inStep)).toMatchObject({ stray: [], named: ["send"] });
});
