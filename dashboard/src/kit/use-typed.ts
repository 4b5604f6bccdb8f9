import { useEffect, useState } from "react";

const pause_ms = 300;

/** A text as it is typed; `onSettle` is called when the typing pauses. */
export function useTyped(known: string, onSettle: (text: string) => void) {
  const [value, setValue] = useState(known);
  useEffect(() => setValue(known), [known]);
  useEffect(() => {
    if (value === known) return;
    const timer = setTimeout(() => onSettle(value.trim()), pause_ms);
    return () => clearTimeout(timer);
  });
  return { value, onChange: setValue };
}
