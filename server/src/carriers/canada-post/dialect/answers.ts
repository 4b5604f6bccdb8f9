import type { FastifyReply, FastifyRequest } from "fastify";
import {
  readXml,
  writeXml,
  xml,
  XmlError,
  type XmlElement,
  type XmlOutput,
} from "../../protocol/xml.ts";
import { Refusal } from "../../simulator/refusal.ts";

/** How Canada Post answers: documents of its versions, `messages` for an error, links with its own address. */

/** The body as a document. Throws what Canada Post's gateway answers to one that is not valid. */
export function documentIn({ body }: FastifyRequest, name: string): XmlElement {
  try {
    const root = readXml(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    if (root.name === name) return root;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  throw invalid(`cvc-elt.1: Cannot find the declaration of element, expected ${name}.`);
}

export function invalid(text: string): Refusal {
  return new Refusal(500, "Server", text);
}

export function answer(reply: FastifyReply, root: XmlOutput, media_type: string): FastifyReply {
  return reply.code(200).type(media_type).send(writeXml(root));
}

/** The gateway's one code for a call beyond the limit, and the post's own for the rest. */
export function messages(
  reply: FastifyReply,
  { status, code, message }: Pick<Refusal, "status" | "code" | "message">,
) {
  const isLimit = status === 429;
  const texts = isLimit
    ? [xml("code", "Server"), xml("description", "Rejected by SLM Monitor")]
    : [xml("code", status === 401 ? "E002" : code), xml("description", message)];
  const root = xml("messages", [xml("message", texts)], { xmlns: messagesNamespace });
  return reply
    .code(isLimit ? 500 : status)
    .type("application/vnd.cpc.messages+xml")
    .send(writeXml(root));
}

const messagesNamespace = "http://www.canadapost.ca/ws/messages";

/** What it does not have, it answers without a word about it. */
export function nothingThere(reply: FastifyReply): FastifyReply {
  const root = xml("messages", [], { xmlns: messagesNamespace });
  return reply.code(404).type("application/vnd.cpc.messages+xml").send(writeXml(root));
}

/** Where this dialect is, as the client calls it. */
export function baseOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}/dialects/canada_post`;
}

export function link(rel: string, href: string, media_type: string): XmlOutput {
  const index: Record<string, string> = rel === "label" ? { index: "0" } : {};
  return xml("link", [], { rel, href, "media-type": media_type, ...index });
}
