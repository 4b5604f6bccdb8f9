import { fieldsOf } from "../../kit/problem.ts";

interface ItemError {
  code: string;
  message: string;
  details: Record<string, unknown>;
}

/** Why a shipment was not bought: in the carrier's words, or of each wrong field, else in the API's. */
export function whyFailed({ code, message, details }: ItemError): string {
  const { carrier_message } = details;
  if (typeof carrier_message === "string" && carrier_message !== "") return carrier_message;
  const sentences = Object.values(
    fieldsOf({ status: 422, code, message, details, request_id: null }),
  ).flat();
  return sentences.length > 0 ? sentences.join(" ") : message;
}
