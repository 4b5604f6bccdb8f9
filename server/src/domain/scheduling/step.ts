/**
 * A step is one action at the database or at an outside party that either did or did not happen; between any
 * two of them a process may crash, so the points before and after each have names, which the crash tests and
 * the docs use.
 */

/** Of the work on an attempt. */
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

/** Of an event on its way to webhooks; their kind is `webhook`. */
export const webhookSteps = ["place", "claim", "send", "end", "leave", "disable"] as const;

type StepName = (typeof steps)[number] | (typeof webhookSteps)[number];

export type CrashPoint = `${"before" | "after"} ${StepName}`;

/** Called at each point that is passed; the work continues when the promise resolves. */
export interface CrashPoints {
  pass(point: CrashPoint, kind: string): Promise<void>;
}

/**
 * Runs one step between its two crash points. `of` is the operation whose attempt it works on, or
 * every operation's where a step takes attempts of all kinds. A step that throws has no point after it.
 */
export async function step<T>(
  work: { crash_points?: CrashPoints },
  { name, of }: { name: StepName; of: { kind: string } },
  run: () => Promise<T>,
): Promise<T> {
  const points = work.crash_points;
  if (!points) return run();
  await points.pass(`before ${name}`, of.kind);
  const result = await run();
  await points.pass(`after ${name}`, of.kind);
  return result;
}
