import type { HttpAnswer } from "../../transport/http-call.ts";
import { badAnswer, classify, type ErrorTable } from "../protocol/classify.ts";
import { all, first, readXml, textAt, within, XmlError, type XmlElement } from "../protocol/xml.ts";

/**
 * Purolator's errors: a list beside the result, in an answer of status 200, and SOAP faults of its validation.
 * An answer without either proves nothing.
 */
export const errorTable: ErrorTable = {
  carrier: "purolator",
  name: "Purolator",
  read(answer) {
    const envelope = envelopeOf(answer);
    if (!envelope) return null;
    const results = first(envelope, "Body")?.children ?? [];
    const [error] = results.filter((result) => !saysDone(result)).flatMap(errorsIn);
    if (error) return error;
    const fault = within(envelope, "Fault");
    return fault ? faultOf(fault) : null;
  },
  rules: [
    // A fault of its validation comes with status 500, and before anything was done.
    { codes: ["validation_fault"], kind: "refused" },
    // Any other fault is of the server.
    { codes: ["fault"], kind: "unknown", carrier_code: "bad_answer", message: "failed." },
    {
      codes: ["1100429"],
      carrier_code: "void_too_late",
      message: "only cancels a shipment on the day of its purchase.",
    },
    {
      codes: ["2800002"],
      // It has the reference, on more than one package: so the shipment was bought.
      kind: "unknown",
      carrier_code: "2800002",
      message:
        "has several packages under this reference (2800002), and does not tell their numbers.",
    },
  ],
};

interface OwnError {
  code: string;
  message: string;
}

/**
 * Whether a result says that it did what it was called for: it did, then, whatever errors are beside it. Taken for a
 * refusal, a label would be bought a second time.
 */
function saysDone(result: XmlElement): boolean {
  const isTrue = (name: string) => /^(true|1)$/.test(textAt(result, name) ?? "");
  const numbers = [textAt(result, "ShipmentPIN/Value"), textAt(result, "PickUpConfirmationNumber")];
  return numbers.some((number) => number) || isTrue("ShipmentVoided") || isTrue("PickUpVoided");
}

/** The errors of a result, or of one of its parts: those of its parts are not its own. */
export function errorsIn(element: XmlElement): OwnError[] {
  return all(element, "ResponseInformation/Errors/Error").map((error) => ({
    code: textAt(error, "Code") ?? "",
    message: textAt(error, "Description") ?? textAt(error, "AdditionalInformation") ?? "",
  }));
}

/** The first finding of a validation; a fault of any other kind is the server's. */
function faultOf(fault: XmlElement): OwnError {
  const finding = within(fault, "ValidationDetail");
  if (!finding) return { code: "fault", message: textAt(fault, "faultstring") ?? "" };
  const key = textAt(finding, "Key");
  const message = textAt(finding, "Message") ?? "The request is not valid.";
  return { code: "validation_fault", message: key === null ? message : `${key}: ${message}` };
}

function envelopeOf({ bytes }: Pick<HttpAnswer, "bytes">): XmlElement | null {
  try {
    const root = readXml(bytes);
    return root.name === "Envelope" ? root : null;
  } catch (error) {
    if (error instanceof XmlError) return null;
    throw error;
  }
}

/**
 * The result of this name in an answer without errors. Throws the `CarrierError` of every other answer. Some
 * results have no `ResponseInformation` at all: their own content says whether it was done.
 */
export function successOf(answer: HttpAnswer, name: string): XmlElement {
  const envelope = envelopeOf(answer);
  const isError = answer.status < 200 || answer.status > 299 || errorTable.read(answer) !== null;
  if (isError) throw classify(errorTable, answer);
  const body = envelope && first(envelope, "Body");
  const result = body && first(body, name);
  if (result) return result;
  throw badAnswer(errorTable);
}
