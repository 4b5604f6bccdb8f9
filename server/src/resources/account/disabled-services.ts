import type { CarrierRegister } from "../../carriers/register.ts";
import { addProblem, type Problems } from "../../domain/errors/errors.ts";

/** Names every code of `disabled_services` that is no service: one that is misspelt would leave its service on. */
export function addDisabledServiceProblems(
  { carriers }: { carriers: CarrierRegister },
  problems: Problems,
  codes: readonly string[] = [],
): void {
  for (const [index, code] of codes.entries())
    if (!carriers.findService(code))
      addProblem(
        problems,
        `disabled_services.${index}`,
        `${JSON.stringify(code)} is no service of ours.`,
      );
}
