import { useCallback, useState } from "react";
import { problemOf } from "./kit/problem.ts";

export interface FormKey {
  /** Calls with the form's Idempotency-Key, and keeps the key until an answer is final. */
  send: <T>(call: (key: string) => Promise<T>) => Promise<T>;
  /** The key is one from before this page was loaded: an earlier call has had no final answer. */
  isLeftOver: boolean;
}

/** 4xx answers after which the same call may still come to something. */
const open = new Set(["idempotency_in_progress", "purchase_pending"]);

const placeOf = (form: string) => `waybill.key.${form}`;

/**
 * The Idempotency-Key of one form. It is made when the form is first sent and kept in the session's storage, so
 * that a double click, a reload and a repeated call after a lost answer are the same call for the server.
 */
export function useFormKey(form: string): FormKey {
  const [isLeftOver] = useState(() => sessionStorage.getItem(placeOf(form)) !== null);
  const send = useCallback(
    <T>(call: (key: string) => Promise<T>) => sendWithKey(form, call),
    [form],
  );
  return { send, isLeftOver };
}

/** The same for a form that is known only when it is sent, such as one of a list. */
export async function sendWithKey<T>(form: string, call: (key: string) => Promise<T>): Promise<T> {
  const place = placeOf(form);
  const key = sessionStorage.getItem(place) ?? crypto.randomUUID();
  sessionStorage.setItem(place, key);
  try {
    const answer = await call(key);
    sessionStorage.removeItem(place);
    return answer;
  } catch (error) {
    const { status, code } = problemOf(error);
    const isFinal =
      status >= 400 && status < 500 && status !== 408 && status !== 429 && !open.has(code);
    if (isFinal) sessionStorage.removeItem(place);
    throw error;
  }
}
