import type { TObject } from "typebox";
import type { Context } from "../../context.ts";
import { addProblem, type Problems } from "../../domain/errors/errors.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { NewConnection } from "./schemas.ts";

/** The fields of a connection are the carrier's own: its descriptor says which. */

/** All problems of a new connection, those of the carrier's fields among them. */
export function problemsOfNew(ctx: Context, body: unknown): Problems {
  const problems = problemsOf(NewConnection, body);
  const { carrier, values, secrets } = (body ?? {}) as Partial<NewConnection>;
  if (typeof carrier !== "string" || problems["carrier"]) return problems;
  const credentials = ctx.carriers.find(carrier)?.descriptor.credentials;
  if (!credentials) {
    addProblem(problems, "carrier", problemOf(ctx, carrier));
    return problems;
  }
  addFieldProblems(problems, "values", { schema: credentials.values, given: values ?? {} });
  if (secrets !== undefined)
    addFieldProblems(problems, "secrets", { schema: credentials.secrets, given: secrets });
  return problems;
}

function problemOf(ctx: Context, carrier: string): string {
  return ctx.carriers.find(carrier)
    ? "needs no connection."
    : `${JSON.stringify(carrier)} is no carrier of ours.`;
}

/** The problems of `values` or `secrets` by the carrier's schema, each under its path. */
export function fieldProblems(
  ctx: Context,
  { carrier, field, given }: { carrier: string; field: "values" | "secrets"; given: unknown },
): Problems {
  const problems: Problems = {};
  const schema = ctx.carriers.get(carrier).descriptor.credentials?.[field];
  if (schema) addFieldProblems(problems, field, { schema, given });
  return problems;
}

function addFieldProblems(
  problems: Problems,
  field: "values" | "secrets",
  { schema, given }: { schema: TObject; given: unknown },
): void {
  for (const [path, texts] of Object.entries(problemsOf(schema, given)))
    problems[path === "" ? field : `${field}.${path}`] ??= texts;
}

const hintLength = 4;

/** The last characters of the first secret, in the order of the carrier's fields; nothing of a short one. */
export function hintOf(
  { carriers }: Pick<Context, "carriers">,
  carrier: string,
  secrets: Readonly<Record<string, string>>,
): string | null {
  const fields = Object.keys(
    carriers.get(carrier).descriptor.credentials?.secrets.properties ?? {},
  );
  const first = fields.map((name) => secrets[name]).find((secret) => secret !== undefined);
  return first && first.length >= 2 * hintLength ? first.slice(-hintLength) : null;
}
