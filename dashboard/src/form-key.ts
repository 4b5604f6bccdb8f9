import { useMemo, useState } from "react";
import { problemOf } from "./kit/problem.ts";
import { randomKey } from "./random-key.ts";

interface FormKey {
  /** Calls with the form's Idempotency-Key, and keeps the key until an answer is final. */
  send: <T>(call: (key: string) => Promise<T>) => Promise<T>;
}

/** 4xx answers after which the same call may still come to something. */
const open = new Set(["idempotency_in_progress", "purchase_pending"]);

const placeOf = (form: string) => `waybill.key.${form}`;

/**
 * The Idempotency-Key of one form. It is made with the form's first call and kept in the session's storage, so that
 * a double click, a reload and a repeated call after a lost answer are the same call for the server.
 */
export function formKey(form: string): FormKey {
  const place = placeOf(form);
  let current: string | null = null;
  return {
    async send(call) {
      current ??= sessionStorage.getItem(place) ?? randomKey();
      sessionStorage.setItem(place, current);
      const settle = () => {
        current = null;
        sessionStorage.removeItem(place);
      };
      try {
        const answer = await call(current);
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
  };
}

/** The key of a form on the screen, and whether an earlier call from before this page was loaded has had no final answer. */
export function useFormKey(form: string): FormKey & { isLeftOver: boolean } {
  const [isLeftOver] = useState(() => sessionStorage.getItem(placeOf(form)) !== null);
  return useMemo(() => ({ ...formKey(form), isLeftOver }), [form, isLeftOver]);
}

/** The same for a form that is known only when it is sent, such as one of a list. */
export function sendWithKey<T>(form: string, call: (key: string) => Promise<T>): Promise<T> {
  return formKey(form).send(call);
}
