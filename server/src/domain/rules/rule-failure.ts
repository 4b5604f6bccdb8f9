/** A rule's action is impossible for its subject: its run records so, and the subject stays unchanged. */
export class RuleFailure extends Error {}

/** Throws a `RuleFailure` with a message for people. */
export function cannot(sentence: string): never {
  throw new RuleFailure(sentence);
}
