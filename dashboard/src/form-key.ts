import { useCallback, useRef, useState } from "react";
import { problemOf } from "./kit/problem.ts";

export interface FormKey {
  /** Calls with the form's Idempotency-Key, and keeps the key until an answer is final. */
  send: <T>(call: (key: string) => Promise<T>) => Promise<T>;
  /** The key is one from before this page was loaded: an earlier call has had no final answer. */
  isLeftOver: boolean;
}

/** 4xx answers after which the same call may still come to something. */
const open = new Set(["idempotency_in_progress", "purchase_pending"]);

/**
 * The Idempotency-Key of one form. It is made when the form opens and kept in the session's storage, so that a
 * double click, a reload and a repeated call after a lost answer are the same call for the server.
 */
export function useFormKey(form: string): FormKey {
  const place = `waybill.key.${form}`;
  const [isLeftOver] = useState(() => sessionStorage.getItem(place) !== null);
  const current = useRef<string | null>(null);
  const send = useCallback(
    async <T>(call: (key: string) => Promise<T>): Promise<T> => {
      current.current ??= sessionStorage.getItem(place) ?? crypto.randomUUID();
      sessionStorage.setItem(place, current.current);
      const settle = () => {
        current.current = null;
        sessionStorage.removeItem(place);
      };
      try {
        const answer = await call(current.current);
        settle();
        return answer;
      } catch (error) {
        const { status, code } = problemOf(error);
        const isFinal =
          status >= 400 && status < 500 && status !== 408 && status !== 429 && !open.has(code);
        if (isFinal) settle();
        throw error;
      }
    },
    [place],
  );
  return { send, isLeftOver };
}
