import type { Problem } from "./problem.ts";
import { kitWords } from "./words.ts";
import { useLocale, useWords } from "../words/locale.tsx";

/** Why a call failed: in the API's sentence, or in ours where no answer came. */
export function Reason({ problem: { status, message } }: { problem: Problem }) {
  const words = useWords(kitWords);
  const { locale } = useLocale();
  const ours = status === 0 ? words.offline : status === 503 ? words.unavailable : null;
  return (
    <span {...(ours === null && locale !== "en" ? { lang: "en" } : {})}>{ours ?? message}</span>
  );
}
