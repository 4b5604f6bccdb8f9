import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import ts from "typescript";

/** Every regular expression of the source, found in its syntax tree: new ones need no registration. */
export interface Expression {
  /** `domain/text/text.ts:14`. */
  place: string;
  source: string;
  flags: string;
}

const root = new URL("../../src/", import.meta.url).pathname;

/** Literals, `new RegExp(…)`, and the `pattern` of schemas, in all files that are no tests. */
export function expressionsOfTheSource(): Expression[] {
  const files = globSync("**/*.ts", { cwd: root })
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => sourceFile(root + name));
  const constants = new Map(files.flatMap(constantsOf));
  return files.flatMap((file) => expressionsIn(file, constants));
}

/** The same of one text, for tests of the collecting. */
export function expressionsOf(text: string): Expression[] {
  const file = ts.createSourceFile(`${root}here.ts`, text, ts.ScriptTarget.Latest, true);
  return expressionsIn(file, new Map(constantsOf(file)));
}

function sourceFile(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

function expressionsIn(file: ts.SourceFile, constants: Constants): Expression[] {
  const found: Expression[] = [];
  const add = (node: ts.Node, source: string, flags: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ place: `${relative(root, file.fileName)}:${line + 1}`, source, flags });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (isMadeOfText(node)) {
      const [source, flags] = node.arguments ?? [];
      if (source && !ts.isRegularExpressionLiteral(source))
        add(node, textOf(source, constants), flags ? textOf(flags, constants) : "");
    } else if (isPattern(node)) add(node, textOf(node.initializer, constants), "u");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isMadeOfText(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === "RegExp"
  );
}

/** `pattern: "…"` of a schema; a function or a list of that name is none. */
function isPattern(node: ts.Node): node is ts.PropertyAssignment {
  return (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === "pattern" &&
    (ts.isStringLiteralLike(node.initializer) ||
      ts.isTemplateExpression(node.initializer) ||
      ts.isIdentifier(node.initializer))
  );
}

type Constants = ReadonlyMap<string, ts.Expression>;

function constantsOf(file: ts.SourceFile): [string, ts.Expression][] {
  const found: [string, ts.Expression][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      if (ts.isStringLiteralLike(node.initializer) || ts.isTemplateExpression(node.initializer))
        found.push([node.name.text, node.initializer]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A text as far as it is literal; a letter replaces what is unknown before it runs. */
function textOf(node: ts.Expression, constants: Constants): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans
        .map(({ expression, literal }) => textOf(expression, constants) + literal.text)
        .join("")
    );
  const known = ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  return known ? textOf(known, constants) : "x";
}
