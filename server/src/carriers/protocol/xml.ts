import { XMLParser, XMLValidator } from "fast-xml-parser";

/**
 * XML as carriers send and take it. Everything is text: a PIN keeps its leading zeros and a number of 22
 * digits its digits. An element is asked for its children by name, so that a list of one is a list.
 */

export interface XmlElement {
  /** Without its namespace's prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** Its own text, trimmed; without that of its children. */
  text: string;
}

/** The bytes are no XML document that a carrier may send. */
export class XmlError extends Error {}

const maxBytes = 16 * 1024 * 1024;
const maxDepth = 50;
const maxElements = 200_000;

const attributesKey = ":@";
const textKey = "#text";
const cdataKey = "#cdata";

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: false,
  cdataPropName: cdataKey,
  maxNestedTags: maxDepth,
});

/**
 * The root element of a document. Throws `XmlError` for anything that is not one: truncated, too large, too
 * deep, or with a document type, whose entities could grow without limit. Bytes that are not in the declared
 * charset are read as Windows-1252, in which every byte means something.
 */
export function readXml(bytes: Buffer): XmlElement {
  if (bytes.length > maxBytes) throw new XmlError("the document is too large");
  const text = decoded(bytes).replaceAll("\0", replacement);
  if (/<!DOCTYPE/i.test(text)) throw new XmlError("the document declares a type");
  try {
    const validity = XMLValidator.validate(text);
    if (validity !== true) throw new XmlError(validity.err.msg);
    const count = { elements: 0 };
    const roots = elementsOf(parser.parse(text), count);
    if (roots.length === 1) return roots[0]!;
  } catch (error) {
    if (error instanceof XmlError) throw error;
    throw new XmlError("the document cannot be read", { cause: error });
  }
  throw new XmlError("the document has no root element");
}

/** All children at a path of names, `a/b/c`; at each step every child of that name counts. */
export function all(element: XmlElement, path: string): XmlElement[] {
  return path
    .split("/")
    .reduce<XmlElement[]>(
      (found, name) =>
        found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [element],
    );
}

/** The first child at a path, or undefined. */
export function first(element: XmlElement, path: string): XmlElement | undefined {
  return all(element, path)[0];
}

/** The text of the first child at a path; null where there is none or it is empty. */
export function textAt(element: XmlElement, path: string): string | null {
  return first(element, path)?.text || null;
}

/** The element itself or the first below it that has the name, whatever it is wrapped in. */
export function within(element: XmlElement, name: string): XmlElement | undefined {
  if (element.name === name) return element;
  for (const child of element.children) {
    const found = within(child, name);
    if (found) return found;
  }
  return undefined;
}

/** An element to write. Absent children are left out, so that optional ones need no condition of their own. */
export interface XmlOutput {
  name: string;
  attributes: Readonly<Record<string, string>>;
  content: string | readonly XmlOutput[];
}
export type XmlContent = string | number | boolean | readonly (XmlOutput | null)[];

/** An element with its text, or with its children in this order; nulls among them are left out. */
export function xml(
  name: string,
  content: XmlContent,
  attributes: Readonly<Record<string, string>> = {},
): XmlOutput {
  if (typeof content !== "object") return { name, attributes, content: String(content) };
  return { name, attributes, content: content.filter((child) => child !== null) };
}

/** An element with a text; null where there is no text, or an empty one. */
export function optional(name: string, text: string | null | undefined): XmlOutput | null {
  return text ? xml(name, text) : null;
}

/** The document as text. What XML cannot contain is written as a space. */
export function writeXml(root: XmlOutput): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${written(root)}`;
}

function written({ name, attributes, content }: XmlOutput): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inside = typeof content === "string" ? escaped(content) : content.map(written).join("");
  return inside ? `<${name}${pairs.join("")}>${inside}</${name}>` : `<${name}${pairs.join("")}/>`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(unwritable, " ")
    .replace(/[&<>"']/g, (character) => escapes[character]!);
}

/** What is no `Char` of XML 1.0. */
// eslint-disable-next-line no-control-regex -- control characters are what it is about
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const replacement = "\ufffd";

/** The bytes as text: by their byte order mark, else by the declared charset, else as UTF-8. */
function decoded(bytes: Buffer): string {
  const head = bytes.subarray(0, 200);
  if (head[0] === 0xff && head[1] === 0xfe) return decodedAs("utf-16le", bytes);
  if (head[0] === 0xfe && head[1] === 0xff) return decodedAs("utf-16be", bytes);
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/i.exec(
    head.toString("latin1"),
  );
  // A declaration that could be read as bytes is not in UTF-16, whatever it says.
  const label = hasMark || /^utf-?16/i.test(declared?.[1] ?? "") ? "utf-8" : declared?.[1];
  return decodedAs(label ?? "utf-8", bytes);
}

function decodedAs(label: string, bytes: Buffer): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

type Parsed = Record<string, unknown>;

function elementsOf(parsed: unknown, count: { elements: number }): XmlElement[] {
  return nodesOf(parsed).flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== attributesKey);
    if (name === undefined || name === textKey || name === cdataKey) return [];
    count.elements += 1;
    if (count.elements > maxElements) throw new XmlError("the document has too many elements");
    const content = node[name];
    const attributes = attributesOf(node[attributesKey]);
    return [{ name, attributes, children: elementsOf(content, count), text: textOf(content) }];
  });
}

function nodesOf(parsed: unknown): Parsed[] {
  return Array.isArray(parsed) ? (parsed as Parsed[]) : [];
}

function attributesOf(parsed: unknown): Record<string, string> {
  const entries = Object.entries((parsed ?? {}) as Parsed);
  return Object.fromEntries(entries.map(([name, value]) => [name, unescaped(String(value))]));
}

function textOf(content: unknown): string {
  const parts = nodesOf(content).map((node) => {
    if (typeof node[textKey] === "string") return unescaped(node[textKey]);
    const [cdata] = nodesOf(node[cdataKey]);
    return typeof cdata?.[textKey] === "string" ? cdata[textKey] : "";
  });
  return parts.join("").trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** The five entities and the numeric ones. NUL and lone surrogates become U+FFFD: no database stores them. */
function unescaped(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
      if (typeof name === "string") return entities[name] ?? whole;
      const code = typeof decimal === "string" ? Number(decimal) : parseInt(String(hex), 16);
      return code === 0 || code > 0x10ffff ? replacement : String.fromCodePoint(code);
    })
    .toWellFormed();
}
