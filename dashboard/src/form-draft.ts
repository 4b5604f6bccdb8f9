import { useEffect, useState } from "react";

/**
 * What is typed into a form, kept in the session's storage until it is dropped: after a reload, and when the
 * form is closed and opened again, it is still there. Signing out forgets it.
 */
export function useFormDraft<T>(form: string, initial: T) {
  const place = `waybill.typed.${form}`;
  const [value, setValue] = useState<T>(() => readDraft(place) ?? initial);
  useEffect(() => {
    if (value === initial) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(value));
  }, [place, value, initial]);
  return {
    value,
    change: (changes: Partial<T>) => setValue((before) => ({ ...before, ...changes })),
    /** The form was sent, or what was typed is not wanted any more. */
    drop: () => {
      sessionStorage.removeItem(place);
      setValue(initial);
    },
  };
}

function readDraft<T>(place: string): T | null {
  const text = sessionStorage.getItem(place);
  return text === null ? null : (JSON.parse(text) as T);
}
