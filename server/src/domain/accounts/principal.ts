/**
 * Who acts. A token calls the API, a user will use the dashboard, an operator runs the platform over HTTP or at a
 * shell, and the system does by itself what nobody asked for at that moment.
 */
export type Principal =
  | { kind: "token"; id: string }
  | { kind: "user"; id: string }
  | { kind: "operator"; name: string }
  | { kind: "system"; name: string };

/** Who began something, and in which request: as every event, attempt and line of the audit log keeps it. */
export interface Origin {
  actor: string;
  /** As its answer named it; null for what no request began. */
  request_id: string | null;
}

/** Whoever works at a shell of the platform's own machine. */
export const atShell: Principal = { kind: "operator", name: "shell" };

/** As it is stored: `token:tok_…`, `user:usr_…`, `operator:ada`, `system:tracking.poll`. */
export function actorOf(principal: Principal): string {
  const { kind } = principal;
  return `${kind}:${kind === "token" || kind === "user" ? principal.id : principal.name}`;
}

/**
 * The name or id alone, as answers show it. What was stored before there were kinds, an operator's name or a token's
 * id, is shown as it stands.
 */
export function nameOfActor(actor: string): string {
  return actor.replace(/^(?:token|user|operator|system):/, "");
}

/** The origin of what is done on a context's behalf. */
export function originOf({
  principal,
  request_id,
}: {
  principal: Principal;
  request_id: string | null;
}): Origin {
  return { actor: actorOf(principal), request_id };
}

/** The origin of what is done at a shell. */
export const byShell: Origin = originOf({ principal: atShell, request_id: null });

/** The origin of what a background loop of that name does by itself. */
export function bySystem(name: string): Origin {
  return { actor: actorOf({ kind: "system", name }), request_id: null };
}

/** Who began what a row is about, as the row keeps it; nothing in rows from before migration 0040. */
interface Stored {
  actor: string | null;
  request_id: string | null;
}

/** For whoever goes on in the background with what the row's request began: the loop itself, if nobody is known. */
export function begunBy(
  { actor, request_id }: Stored,
  loop: string,
): { principal: Principal; request_id: string | null } {
  const [, kind, name = ""] = /^(token|user|operator|system):(.*)$/s.exec(actor ?? "") ?? [];
  if (kind === "token" || kind === "user") return { principal: { kind, id: name }, request_id };
  if (kind === "operator" || kind === "system") return { principal: { kind, name }, request_id };
  return { principal: { kind: "system", name: loop }, request_id };
}
