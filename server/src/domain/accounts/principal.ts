/**
 * The acting party. A token calls the API, a user will use the dashboard, an operator runs the platform over
 * HTTP or in a shell, a rule or a batch has labels bought in the background, and `system` is a background loop
 * that acts without a request.
 */
export type Principal =
  | { kind: "token" | "user" | "rule" | "batch"; id: string }
  | { kind: "operator"; name: string }
  | { kind: "system"; name: string };

/**
 * The principal that began something, and in which request: every event, attempt and audit log entry stores
 * it.
 */
export interface Origin {
  actor: string;
  /** The id as in its response; null where no request began it. */
  request_id: string | null;
}

/** An operator in a shell of the platform's own machine. */
export const atShell: Principal = { kind: "operator", name: "shell" };

/** As it is stored: `token:tok_…`, `rule:rul_…`, `operator:ada`, `system:tracking.poll`. */
export function actorOf(principal: Principal): string {
  return `${principal.kind}:${"id" in principal ? principal.id : principal.name}`;
}

/**
 * The name or id alone, as responses show it. A value stored before kinds existed, an operator's name or a
 * token's id, is shown unchanged.
 */
export function nameOfActor(actor: string): string {
  return actor.replace(/^(?:token|user|rule|batch|operator|system):/, "");
}

/** The origin of changes on a context's behalf. */
export function originOf({
  principal,
  request_id,
}: {
  principal: Principal;
  request_id: string | null;
}): Origin {
  return { actor: actorOf(principal), request_id };
}

/** The origin of changes made in a shell. */
export const byShell: Origin = originOf({ principal: atShell, request_id: null });

/** The origin of changes that a background loop of that name makes by itself. */
export function bySystem(name: string): Origin {
  return { actor: actorOf({ kind: "system", name }), request_id: null };
}

/** The origin that a row stores; null in rows from before migration 0040. */
interface Stored {
  actor: string | null;
  request_id: string | null;
}

/**
 * The origin for a worker that continues what the row's request began: the loop itself if the row has none.
 */
export function begunBy(
  { actor, request_id }: Stored,
  loop: string,
): { principal: Principal; request_id: string | null } {
  const [, kind, name = ""] =
    /^(token|user|rule|batch|operator|system):(.*)$/s.exec(actor ?? "") ?? [];
  if (kind === "operator" || kind === "system") return { principal: { kind, name }, request_id };
  if (kind !== undefined)
    return {
      principal: { kind: kind as "token" | "user" | "rule" | "batch", id: name },
      request_id,
    };
  return { principal: { kind: "system", name: loop }, request_id };
}
