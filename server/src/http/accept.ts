import { ApiError } from "../domain/errors.ts";

/** Throws 406 for an `Accept` header that excludes JSON. The most specific range decides (RFC 9110). */
export function refuseUnlessJsonAccepted(accept: string | undefined): void {
  if (
    accept === undefined ||
    accept.trim() === "" ||
    accept === "*/*" ||
    accept === "application/json"
  )
    return;
  const weights = new Map(accept.split(",").map(readRange));
  const weight =
    weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  if (!(weight > 0)) throw new ApiError("not_acceptable");
}

function readRange(range: string): [string, number] {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2))];
}
