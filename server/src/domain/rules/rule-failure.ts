/** A rule asks for what its subject cannot have: its run says so, and the subject stays as it was. */
export class RuleFailure extends Error {}

/** Throws a `RuleFailure`: a sentence for people. */
export function cannot(sentence: string): never {
  throw new RuleFailure(sentence);
}
