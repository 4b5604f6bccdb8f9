import type { HttpAnswer } from "../../transport/http-call.ts";
import {
  badAnswer,
  classify,
  credentialsInvalid,
  rateLimited,
  type ErrorTable,
} from "../protocol/classify.ts";
import { all, readXml, textAt, within, XmlError, type XmlElement } from "../protocol/xml.ts";

/**
 * Canada Post's errors: `messages` of a code and a description, also in an answer of status 200. Its gateway
 * answers before anything is done, with the one code `Server` for all that it finds: the text tells which.
 */
export const errorTable: ErrorTable = {
  carrier: "canada_post",
  name: "Canada Post",
  read(answer) {
    const [message] = messagesIn(answer);
    if (!message) return null;
    const isGateway = message.code === "Server";
    if (isGateway && /SLM/.test(message.message)) return { ...message, code: overLimit };
    // The request is validated by the schema before it is read: `cvc-` begins each of a validator's findings.
    if (isGateway && /\bcvc-/.test(message.message)) return { ...message, code: invalidRequest };
    return message;
  },
  rules: [
    // The documents say that a call beyond the agreed number is rejected, not delayed.
    { codes: ["over_limit"], kind: "refused", ...rateLimited },
    {
      codes: ["invalid_request"],
      kind: "refused",
      message: "does not accept the form of this request.",
    },
    // AA001 is an inactive account in other projects' issues; E002 and AAA are failed authentications.
    { codes: ["AA001", "AA002", "AA003", "AA004", "AAA", "E002"], ...credentialsInvalid },
  ],
};

const overLimit = "over_limit";
const invalidRequest = "invalid_request";

/** What a second void or refund hears. */
export const notVoidableCode = "8064";
export const refundRequestedCode = "7292";
export const noPinHistoryCode = "004";

/** The errors of an answer; none for a success, and none for `messages` that are empty. */
export function messagesIn({
  bytes,
}: Pick<HttpAnswer, "bytes">): { code: string; message: string }[] {
  try {
    const messages = within(readXml(bytes), "messages");
    return all(messages ?? nothing, "message").map((message) => ({
      code: textAt(message, "code") ?? "",
      message: textAt(message, "description") ?? "",
    }));
  } catch (error) {
    if (error instanceof XmlError) return [];
    throw error;
  }
}

/**
 * Whether an answer says that what was asked for is not there: status 404 in Canada Post's own form, `messages`, without
 * one. With one it says something else, such as that its gateway is busy or that the customer is not ours, and proves
 * nothing.
 */
export function saysNothingIsThere(answer: Pick<HttpAnswer, "status" | "bytes">): boolean {
  const isOwnForm = /<(\w+:)?messages\b/.test(answer.bytes.toString("latin1"));
  return answer.status === 404 && isOwnForm && messagesIn(answer).length === 0;
}

const nothing: XmlElement = { name: "", attributes: {}, children: [], text: "" };

/**
 * The element of this name in a success, whatever it is wrapped in. Throws the `CarrierError` of every other
 * answer: a refusal that came with status 200, an empty one, a success that cannot be read.
 */
export function successOf(answer: HttpAnswer, name: string): XmlElement {
  if (answer.status < 200 || answer.status > 299) throw classify(errorTable, answer);
  try {
    const found = within(readXml(answer.bytes), name);
    if (found) return found;
  } catch (error) {
    if (error instanceof XmlError) throw badAnswer(errorTable, error);
    throw error;
  }
  throw messagesIn(answer).length > 0 ? classify(errorTable, answer) : badAnswer(errorTable);
}
