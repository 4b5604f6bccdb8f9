import { useWords } from "../../words/locale.tsx";
import { changedText } from "./summary.ts";
import { ruleWords } from "./words.ts";

interface Change {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** Fields with what they were and what they become; what only the server keeps is left out. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  const words = useWords(ruleWords);
  const lines = changes
    .map(({ field, before, after }) => ({
      name: words.changes[field],
      before: changedText(field, before, words),
      after: changedText(field, after, words),
    }))
    .filter(({ name, before, after }) => name !== undefined && before !== after);
  return (
    <dl className="mt-1 flex flex-col gap-1 text-sm">
      {lines.map(({ name, before, after }, index) => (
        <div key={index} className="flex flex-wrap gap-x-1.5 break-words">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0">
            {before && <s className="text-faint">{before}</s>} {before && "→"}{" "}
            <span className="font-medium">{after || "–"}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
