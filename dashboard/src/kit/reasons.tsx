import type { ReactNode } from "react";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

interface ReasonLine {
  id: string;
  name: string;
  href: string;
  /** Beside the name. */
  reference: string | null;
  why: ReactNode;
}

/** More lines than these are not read, and would hold the browser up. */
const lines_max = 100;

/** Things to which something is not done, each with the reason; they open in a tab, so that the screen stays. */
export function Reasons({ title, lines }: { title: string; lines: readonly ReasonLine[] }) {
  const words = useWords(kitWords);
  return (
    <div className="flex flex-col gap-2">
      <p role="alert" className="font-medium">
        {title}
      </p>
      <ul className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {lines.slice(0, lines_max).map(({ id, name, href, reference, why }) => (
          <li key={id} className="px-3 py-2">
            <a
              href={href}
              target="_blank"
              rel="noopener"
              className="font-medium text-accent underline-offset-4 hover:underline"
            >
              {name}
            </a>
            <span className="text-soft">{reference && ` · ${reference}`}</span>
            <div className="text-sm text-soft">{why}</div>
          </li>
        ))}
      </ul>
      {lines.length > lines_max && (
        <p className="text-sm text-faint">{words.andMore(lines.length - lines_max)}</p>
      )}
    </div>
  );
}
