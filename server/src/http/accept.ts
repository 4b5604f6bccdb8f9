import { ApiError } from "../domain/errors/errors.ts";

const json = "application/json";

/**
 * Which type an `Accept` header prefers: JSON, or the type of the file that the path names, if it names
 * one; JSON without a preference. Throws 406 when it excludes both. The most specific range decides (RFC
 * 9110).
 */
export function acceptedType(accept: string | undefined, fileType?: string): string {
  if (accept === undefined || accept.trim() === "" || accept === "*/*" || accept === json)
    return json;
  const weights = new Map(accept.split(",").map(readRange));
  const weightOf = (type: string) =>
    weights.get(type) ?? weights.get(type.replace(/\/.*/, "/*")) ?? weights.get("*/*") ?? 0;
  const types = fileType === undefined ? [json] : [json, fileType];
  const accepted = types.filter((type) => weightOf(type) > 0);
  if (accepted.length === 0) throw new ApiError("not_acceptable");
  return accepted.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best));
}

function readRange(range: string): [string, number] {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2))];
}
