/**
 * The steps that the work on an attempt is made of. Each is one thing that happens at the database or
 * at the other side and either did or did not happen; between any two of them a process may die, so
 * the points before and after each have names, by which the crash tests strike and the docs speak.
 */
export const steps = [
  "begin",
  "send",
  "keep",
  "settle",
  "mark_not_executed",
  "suspend",
  "take_over",
  "look_up",
  "look_again",
  "review",
  "mark_for_reversal",
  "undo",
] as const;
export type StepName = (typeof steps)[number];

export type CrashPoint = `${"before" | "after"} ${StepName}`;

/** Told of each point that is passed; the work goes on when the promise resolves, and not before. */
export interface CrashPoints {
  pass(point: CrashPoint, kind: string): Promise<void>;
}

/**
 * Runs one step between its two crash points. `of` is the operation whose attempt it works on, or
 * every operation's where a step takes attempts of all kinds. A step that throws has no point after it.
 */
export async function step<T>(
  outbound: { crash_points?: CrashPoints },
  { name, of }: { name: StepName; of: { kind: string } },
  work: () => Promise<T>,
): Promise<T> {
  const points = outbound.crash_points;
  if (!points) return work();
  await points.pass(`before ${name}`, of.kind);
  const result = await work();
  await points.pass(`after ${name}`, of.kind);
  return result;
}
