import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

/** Lines in the place of what is on its way. They appear after 200 ms, so that a quick answer does not flicker. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  const words = useWords(kitWords);
  return (
    <div role="status" className="after-200ms flex flex-col gap-3 p-5">
      <span className="sr-only">{words.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          className="h-4 animate-pulse rounded bg-pressed"
          style={{ width: `${92 - ((line * 17) % 40)}%` }}
        />
      ))}
    </div>
  );
}
