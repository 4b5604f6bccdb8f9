import type { AccountContext } from "../../context.ts";
import {
  addProblem,
  addRuleProblems,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import type { ShipmentType } from "../../domain/shipments/shipment-status.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { serviceProblem } from "../../shipping/shipments/service-problem.ts";
import { BuyLabel } from "./schemas.ts";

/** What a purchase is asked for. */

/**
 * Reads the body of a purchase; none asks for what the shipment carries. Throws 422 with every failing field that shows
 * without the shipment, so that its state cannot hide them.
 */
export function readChoice(ctx: Pick<AccountContext, "carriers">, body: unknown): BuyLabel {
  const choice = (body ?? {}) as BuyLabel;
  const problems = problemsOf(BuyLabel, choice);
  addRuleProblems(problems, choiceProblems(ctx, null, choice));
  throwIfAny(problems);
  return choice;
}

/** What the schema cannot express of a choice for a shipment of that type; null where the type is not known. */
export function choiceProblems(
  ctx: Pick<AccountContext, "carriers">,
  type: ShipmentType | null,
  choice: BuyLabel,
): Problems {
  const problems = type === "ltl" ? labelOptions(choice) : {};
  const sentence = serviceProblem(ctx, choice.service, type);
  if (sentence) addProblem(problems, "service", sentence);
  if (choice.service != null && choice.rate_id != null)
    addProblem(problems, "rate_id", "must not be combined with service.");
  return problems;
}

/** Options that only a label has, by field, where a booking is requested (decision 8). */
function labelOptions({ add_ons, label_format, label_size }: BuyLabel): Problems {
  const problems: Problems = {};
  const given = { add_ons: add_ons?.length ? add_ons : null, label_format, label_size };
  for (const [field, value] of Object.entries(given))
    if (value != null) addProblem(problems, field, "is for courier shipments only.");
  return problems;
}
