import { AST, parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp";

/**
 * The texts that are hardest for a regular expression: long runs that one of its repetitions matches, after
 * what precedes the repetition, and with an ending that it fails at.
 */
export interface HardText {
  before: string;
  /** Repeated as often as needed. */
  run: string;
  after: string;
}

/** All that JavaScript's `\s` takes. */
const spaces = [
  ..."\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a",
  ..."\u2028\u2029\u202f\u205f\u3000\ufeff",
];
const printable = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place));
const foreign = [..."éßøł漢אع٣¡、\u0301\u00ad\u200b\u202e\u2010\u2019\ufe0f\0", "😀"];
const candidates = [..."a1", ...printable, ...spaces, ...foreign];

const lengthsOfInterest = 30;

export function hardTextsFor(expression: RegExp): HardText[] {
  const found: HardText[] = spaces.map((run) => ({ before: "", run, after: "\0" }));
  visitRegExpAST(parseRegExpLiteral(expression), {
    onQuantifierEnter(node) {
      if (node.max >= lengthsOfInterest) found.push(...textsAround(node));
    },
  });
  return found;
}

function textsAround(node: AST.Quantifier): HardText[] {
  const [before, rest] = [sampleBefore(node), sampleAfter(node)];
  const element = sampleOf(node.element);
  const runs = new Set([element, before, before + element, ...lettersOf(node.element), " ", "\n"]);
  const endings = new Set(["", "\0", "!", `${rest}\0`, rest.slice(0, -1)]);
  return [...runs]
    .filter((run) => run !== "")
    .flatMap((run) =>
      [...endings].flatMap((after) =>
        before === ""
          ? [{ before, run, after }]
          : [
              { before, run, after },
              { before: "", run, after },
            ],
      ),
    );
}

/** A text that the node matches, as short as a repetition allows. */
function sampleOf(node: AST.QuantifiableElement | AST.Element): string {
  switch (node.type) {
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterSet":
    case "CharacterClass":
      return takenBy(node, 1)[0] ?? "";
    case "Group":
    case "CapturingGroup":
      return node.alternatives[0]!.elements.map(sampleOf).join("");
    case "Quantifier":
      return sampleOf(node.element).repeat(Math.min(Math.max(node.min, 1), Math.max(node.max, 0)));
    case "Assertion":
    case "Backreference":
    case "ExpressionCharacterClass":
      return "";
  }
}

/** A few letters of each kind that a repeated part matches. */
function lettersOf(node: AST.Node): string[] {
  const found: string[] = [];
  const alternatives =
    node.type === "Group" || node.type === "CapturingGroup"
      ? node.alternatives.flatMap(({ elements }) => elements)
      : [node];
  for (const each of alternatives) {
    if (each.type === "Character") found.push(String.fromCodePoint(each.value));
    else if (each.type === "CharacterSet" || each.type === "CharacterClass")
      found.push(...takenBy(each, 12));
    else if (each.type === "Quantifier") found.push(...lettersOf(each.element));
    else if (each !== node) found.push(...lettersOf(each));
  }
  return found;
}

function takenBy(node: AST.CharacterSet | AST.CharacterClass, most: number): string[] {
  const one = new RegExp(`^(?:${node.raw})$`, "su");
  const taken = candidates.filter((letter) => one.test(letter));
  if (taken.length <= most) return taken;
  // From all over the class, since its ends may overlap with different neighbours.
  return Array.from({ length: most }, (_, at) => taken[Math.floor((at * taken.length) / most)]!);
}

function sampleBefore(node: AST.Node): string {
  return siblings(node).before + (node.parent ? sampleBefore(node.parent) : "");
}

function sampleAfter(node: AST.Node): string {
  return siblings(node).after + (node.parent ? sampleAfter(node.parent) : "");
}

function siblings(node: AST.Node): { before: string; after: string } {
  const { parent } = node;
  if (parent?.type !== "Alternative") return { before: "", after: "" };
  const at = parent.elements.indexOf(node as AST.Element);
  return {
    before: parent.elements.slice(0, at).map(sampleOf).join(""),
    after: parent.elements
      .slice(at + 1)
      .map(sampleOf)
      .join(""),
  };
}
