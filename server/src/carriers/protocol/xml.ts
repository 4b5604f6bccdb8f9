import { SaxesParser } from "saxes";

/**
 * XML as carriers send and take it. Everything is text: a PIN keeps its leading zeros and a number of 22
 * digits its digits. An element is asked for its children by name, so that a list of one is a list.
 */

export interface XmlElement {
  /** Without its namespace's prefix. */
  name: string;
  /** By name without prefix; declarations of namespaces are left out. */
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
const maxAttributesOfElement = 1_000;
const maxAttributes = 200_000;
const maxUnknownReferences = 1_000;

/** Of references to entities or characters that XML does not know: they stay in the text as they were written. */
const unknownReference = new Set(["undefined entity.", "malformed character entity."]);

type OpenElement = XmlElement & { children: XmlElement[] };

/**
 * The root element of a document, read and checked in one pass. Throws `XmlError` for anything that is not one:
 * truncated, too large, too deep, or with a document type, whose entities could grow without limit. Bytes that are not
 * in the declared charset are read as Windows-1252, in which every byte means something. Characters that XML cannot
 * contain, among them NUL, which no database stores, become U+FFFD.
 */
export function readXml(bytes: Buffer): XmlElement {
  if (bytes.length > maxBytes) throw new XmlError("the document is too large");
  const parser = new SaxesParser<{ position: false; xmlns: false }>({
    position: false,
    xmlns: false,
  });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let attributesOfElement = 0;
  let attributes = 0;
  let unknownReferences = 0;
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on("error", ({ message }) => {
    if (!unknownReference.has(message)) throw new XmlError(message);
    // Each costs an error with its stack: a document of nothing else would hold the event loop for half a minute.
    if (++unknownReferences > maxUnknownReferences)
      throw new XmlError("the document has too many unknown references");
  });
  parser.on("doctype", () => {
    throw new XmlError("the document declares a type");
  });
  // Each is counted as it is read: an element of a million holds the event loop for seconds before it is whole.
  parser.on("attribute", () => {
    if (++attributesOfElement > maxAttributesOfElement || ++attributes > maxAttributes)
      throw new XmlError("the document has too many attributes");
  });
  parser.on("opentag", ({ name, attributes: own }) => {
    attributesOfElement = 0;
    if (open.length === maxDepth) throw new XmlError("the document is too deep");
    if (++elements > maxElements) throw new XmlError("the document has too many elements");
    const element: OpenElement = {
      name: localName(name),
      attributes: localAttributes(own),
      children: [],
      text: "",
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop()!;
    element.text = element.text.trim();
  });
  parser.write(decoded(bytes).trimStart().replace(unwritable, replacement)).close();
  if (!root) throw new XmlError("the document has no root element");
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function localAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const local: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) local[localName(name)] = value;
  }
  return local;
}

/** All children at a path of names, `a/b/c`; at each step every child of that name counts. */
export function all(element: XmlElement, path: string): XmlElement[] {
  let found = [element];
  for (const name of path.split("/")) {
    const below: XmlElement[] = [];
    for (const { children } of found) {
      for (const child of children) if (child.name === name) below.push(child);
    }
    found = below;
  }
  return found;
}

/** The first child at a path, or undefined. */
export function first(element: XmlElement, path: string): XmlElement | undefined {
  return all(element, path)[0];
}

/** The text of the first child at a path; null where there is none or it is empty. */
export function textAt(element: XmlElement, path: string): string | null {
  return first(element, path)?.text || null;
}

/** Whether the first child at a path is true, in either of a schema's two spellings. */
export function isTrueAt(element: XmlElement, path: string): boolean {
  return ["true", "1"].includes(textAt(element, path) ?? "");
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
type XmlContent = string | number | boolean | readonly (XmlOutput | null)[];

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
