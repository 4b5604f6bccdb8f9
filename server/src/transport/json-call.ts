import type { Agent } from "undici";
import { callHttp, textOf, type HttpAnswer, type HttpCall } from "./http-call.ts";

/** One JSON call to an outside party: `callHttp` with a value in both directions. */

export interface JsonCall extends Omit<HttpCall, "body"> {
  /** Sent as JSON; a string as it is, under the `content-type` that comes with it. */
  body?: object | string;
}

/** The response, whatever its status. A body that is no JSON is an error only where it is needed. */
export interface JsonResponse extends Omit<HttpAnswer, "bytes"> {
  /** As `parsed`: undefined for a body that is not JSON: empty, truncated, or a proxy's web page. */
  body: unknown;
}

/** Makes the call once, as `callHttp` does. Throws `TransportError`; a status of 400 or more does not throw. */
export async function callJson(agent: Agent, call: JsonCall): Promise<JsonResponse> {
  const { body, ...rest } = call;
  const { bytes, ...answer } = await callHttp(agent, {
    ...rest,
    headers: {
      accept: "application/json",
      ...(body ? { "content-type": "application/json" } : {}),
      ...call.headers,
    },
    body: typeof body === "object" ? JSON.stringify(body) : (body ?? null),
  });
  return { ...answer, body: parsed(textOf({ headers: answer.headers, bytes })) };
}

/**
 * The value of JSON text; undefined for invalid text. NUL and lone surrogates in its strings become U+FFFD,
 * because PostgreSQL accepts neither, and a party's outcome must not be lost because of a character in its
 * text.
 */
export function parsed(text: string): unknown {
  try {
    return hasUnwritable.test(text) ? JSON.parse(text, writable) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON can only contain them as escapes. */
const hasUnwritable = /\\u(0000|d[89a-f])/i;

function writable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\ufffd").toWellFormed() : value;
}
