import { useEffect, useSyncExternalStore } from "react";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { kitWords } from "../kit/words.ts";
import { useWords } from "../words/locale.tsx";

interface Toast {
  id: number;
  text: string;
  tone: "good" | "danger";
}

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says for a few seconds that something was done, or could not be. What needs an answer is no toast. */
export function toast(text: string, tone: Toast["tone"] = "good"): void {
  last += 1;
  change([...toasts.slice(-2), { id: last, text, tone }]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear; a screen reader reads them when it has time. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-50 flex max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {shown.map((each) => (
        <ToastLine key={each.id} toast={each} />
      ))}
    </div>
  );
}

function ToastLine({ toast: { id, text, tone } }: { toast: Toast }) {
  const words = useWords(kitWords);
  const close = () => change(toasts.filter((each) => each.id !== id));
  useEffect(() => {
    const timer = setTimeout(close, 6000);
    return () => clearTimeout(timer);
  });
  return (
    <div className="appear pointer-events-auto flex items-center gap-2.5 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3.5 shadow-raised">
      <Icon
        name={tone === "good" ? "check" : "alert"}
        className={`size-4 ${tone === "good" ? "text-good" : "text-danger"}`}
      />
      <span className="grow">{text}</span>
      <Button variant="quiet" size="icon" icon="close" aria-label={words.close} onPress={close} />
    </div>
  );
}
