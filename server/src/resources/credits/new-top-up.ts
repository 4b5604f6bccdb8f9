import type { Context } from "../../context.ts";
import { addRuleProblems, invalid, type Problems } from "../../domain/errors/errors.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { NewTopUp } from "./schemas.ts";
import { findPaymentMethod } from "./store.ts";

export const noDefaultCard: Problems = {
  payment_method_id: ["is required, because the account has no default card."],
};

/** Reads the body of a top-up. Throws 422 with every failing field; a missing card alone is found when it is charged. */
export async function readNewTopUp({ db, account }: Context, body: unknown): Promise<NewTopUp> {
  const problems = problemsOf(NewTopUp, body);
  const wanted = (body ?? {}) as NewTopUp;
  const { currency, payment_method_id } = wanted;
  if (currency && currency !== account.currency)
    addRuleProblems(problems, {
      currency: [`must be ${account.currency}, the account's currency.`],
    });
  if (Object.keys(problems).length === 0) return wanted;
  const isUnnamed = !problems[""] && payment_method_id == null;
  if (isUnnamed && !(await findPaymentMethod(db, account.account_id, null)))
    addRuleProblems(problems, noDefaultCard);
  throw invalid(problems);
}
