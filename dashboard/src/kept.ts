import { useEffect, useState } from "react";

/**
 * What is typed into a form, kept in the session's storage until it is dropped: after a reload, and when the
 * form is closed and opened again, it is still there. Signing out forgets it.
 */
export function useKept<T>(form: string, initial: T) {
  const place = `waybill.typed.${form}`;
  const [value, setValue] = useState<T>(() => readKept(place) ?? initial);
  const [isDropped, setDropped] = useState(false);
  useEffect(() => {
    if (isDropped) sessionStorage.removeItem(place);
    else if (value !== initial) sessionStorage.setItem(place, JSON.stringify(value));
  }, [place, value, initial, isDropped]);
  return {
    value,
    change: (changes: Partial<T>) => {
      setDropped(false);
      setValue((before) => ({ ...before, ...changes }));
    },
    /** The form was sent, or what was typed is not wanted any more. */
    drop: () => {
      setDropped(true);
      sessionStorage.removeItem(place);
    },
  };
}

function readKept<T>(place: string): T | null {
  const text = sessionStorage.getItem(place);
  return text === null ? null : (JSON.parse(text) as T);
}
