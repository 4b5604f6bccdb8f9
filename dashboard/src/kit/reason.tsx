import { lazy, Suspense } from "react";
import type { Problem } from "./problem.ts";
import { kitWords } from "./words.ts";
import { useLocale, useWords } from "../words/locale.tsx";

const Forbidden = lazy(() => import("./forbidden.tsx"));

/** Why a call failed: in the API's sentence, or in ours where no answer came, or where that is about tokens. */
export function Reason({ problem: { status, code, message, details } }: { problem: Problem }) {
  const words = useWords(kitWords);
  const { locale } = useLocale();
  const { required_scopes } = details;
  if (code === "scope_missing" && Array.isArray(required_scopes))
    return (
      <Suspense fallback={null}>
        <Forbidden scopes={required_scopes as string[]} />
      </Suspense>
    );
  const ours = status === 0 ? words.offline : status === 503 ? words.unavailable : null;
  return (
    <span {...(ours === null && locale !== "en" ? { lang: "en" } : {})}>{ours ?? message}</span>
  );
}
