import type { Cause } from "./entry.ts";

/** Who began it, as rows store it. */
export interface Originator {
  actor: string | null;
  request_id: string | null;
}

/** What workers went on with for the subject, and the requests that began it. */
export interface Begun {
  batch: { id: string; request_id: string | null } | null;
  /** The rule that asked for a label. */
  rule: { id: string; request_id: string | null } | null;
}

/**
 * What began an entry. The work of a batch and the purchases of a rule name the request that began them, so they are
 * told from the request itself by `in_background`: no request waited for it.
 */
export function causeOf(
  { actor, request_id }: Originator,
  { batch, rule }: Begun,
  in_background: boolean,
): Cause | null {
  const [, kind, name = ""] = /^([a-z]+):(.*)$/s.exec(actor ?? "") ?? [];
  if (kind === "operator") return { type: "operator", id: name };
  if (kind === "system") return { type: "schedule", id: name };
  if (kind === "batch" || kind === "rule") return { type: kind, id: name };
  if (request_id === null) return null;
  if (batch && batch.request_id === request_id) return { type: "batch", id: batch.id };
  if (in_background && rule && rule.request_id === request_id) return { type: "rule", id: rule.id };
  return { type: "request", id: request_id };
}
