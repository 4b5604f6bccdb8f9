import type { HttpAnswer, HttpHeaders } from "../../transport/http-call.ts";
import { answerOf, type Recording } from "./corpus-world.ts";

/** Recordings of answers in JSON, and of whole exchanges with their status and headers. */

interface Exchange {
  request: { method: string; url: string; body: unknown };
  response: { status: number; content_type?: string; body: unknown };
  response_headers?: HttpHeaders;
}

/** Whether there is an answer in it. */
export function isAnswer({ kind }: Recording): boolean {
  return kind === "response" || kind === "exchange";
}

/** The recorded answer; with status 200 where none was recorded. */
export function recordedAnswer(recording: Recording): HttpAnswer {
  if (recording.kind !== "exchange") return answerOf(recording);
  const { response, response_headers } = exchangeOf(recording);
  const { status, body, content_type } = response;
  const text = typeof body === "string" ? body : body === null ? "" : JSON.stringify(body);
  return {
    status,
    headers: { "content-type": content_type, ...response_headers },
    bytes: Buffer.from(text),
    retry_after_seconds: null,
  };
}

/** The address that was called; null where only the answer was recorded. */
export function recordedUrl(recording: Recording): string | null {
  return recording.kind === "exchange" ? exchangeOf(recording).request.url : null;
}

function exchangeOf({ bytes }: Recording): Exchange {
  return JSON.parse(bytes.toString()) as Exchange;
}
