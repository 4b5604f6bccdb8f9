import type { Rule } from "@waybill/sdk";
import { useState } from "react";
import type { Environment } from "../../environment.ts";
import { draftOf, emptyRule, isSame, type RuleDraft } from "./draft.ts";

/** A rule under edit, with the version that the editing began from. */
interface Edited {
  base: RuleDraft;
  base_updated_at: string | null;
  draft: RuleDraft;
}

/**
 * The rule as it is edited. It is kept in the session's storage until it is saved or given up, so that a reload
 * or another screen in between loses nothing.
 */
export function useRuleDraft(environment: Environment, rule: Rule | null) {
  const place = `waybill.rule.${environment}.${rule?.id ?? "new"}`;
  const [kept] = useState(() => readKept(place));
  const [edited, setEdited] = useState<Edited>(() => kept ?? begun(rule));
  const keep = (next: Edited) => {
    if (isSame(next.base, next.draft)) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(next));
    setEdited(next);
  };
  return {
    ...edited,
    isDirty: !isSame(edited.base, edited.draft),
    wasKept: kept !== null,
    change: (changes: Partial<RuleDraft>) =>
      keep({ ...edited, draft: { ...edited.draft, ...changes } }),
    /** Begins anew from what is saved; the changes are gone. */
    begin: (from: Rule | null) => keep(begun(from)),
    forget: () => sessionStorage.removeItem(place),
  };
}

function begun(rule: Rule | null): Edited {
  const base = rule ? draftOf(rule) : emptyRule;
  return { base, base_updated_at: rule?.updated_at ?? null, draft: base };
}

function readKept(place: string): Edited | null {
  const text = sessionStorage.getItem(place);
  return text ? (JSON.parse(text) as Edited) : null;
}
