import type { HttpAnswer } from "../../transport/http-call.ts";

/** Reading of `multipart/form-data` answers: parts may end their lines with LF alone, and the last may be cut. */

export interface Part {
  name: string | null;
  /** Of an attachment; null where there is none. */
  file_name: string | null;
  content_type: string;
  bytes: Buffer;
}

/** More parts than any label has documents. */
const partsMost = 100;

/** The parts of an answer, by its boundary or its first line; null for an answer that is no multipart. Never throws. */
export function partsOf({ headers, bytes }: Pick<HttpAnswer, "headers" | "bytes">): Part[] | null {
  const text = bytes.toString("latin1");
  const named = /boundary="?([^";\s]{1,100})/i.exec(String(headers["content-type"] ?? ""))?.[1];
  const first = /^\s*--([^\r\n]{1,100})\r?\n/.exec(text)?.[1];
  const boundary = named && text.includes(`--${named}`) ? named : first;
  if (!boundary) return null;
  const pieces = text.split(`--${boundary}`).slice(1, partsMost + 1);
  return pieces.flatMap((piece) => (piece.startsWith("--") ? [] : partOf(piece)));
}

function partOf(piece: string): Part[] {
  const [, head, body] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(piece) ?? [];
  if (head === undefined || body === undefined) return [];
  const line = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const disposition = line("content-disposition");
  const file = /filename="([^"]*)"/;
  return [
    {
      name: /\bname="([^"]*)"/.exec(disposition.replace(file, ""))?.[1] ?? null,
      file_name: file.exec(disposition)?.[1] ?? null,
      content_type: line("content-type").toLowerCase(),
      bytes: Buffer.from(body.replace(/\r?\n$/, ""), "latin1"),
    },
  ];
}
