import type { FastifyReply, FastifyRequest } from "fastify";
import {
  first,
  readXml,
  writeXml,
  xml,
  XmlError,
  type XmlElement,
  type XmlOutput,
} from "../../protocol/xml.ts";
import { Refusal } from "../../simulator/refusal.ts";

/** How Purolator answers: an envelope, with the errors beside the result and status 200. */

export interface SoapRequest {
  /** Without `Request`. */
  operation: string;
  request: XmlElement;
}

/** What an envelope asks for. Throws a refusal that is answered as a fault of the validation. */
export function askedIn({ body }: FastifyRequest): SoapRequest {
  try {
    const envelope = readXml(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    const [request] = first(envelope, "Body")?.children ?? [];
    const hasContext = first(envelope, "Header/RequestContext/Version") !== undefined;
    if (request?.name.endsWith("Request") && hasContext) {
      return { operation: request.name.replace(/Request$/, ""), request };
    }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  throw invalid("RequestContext", "The request is not one of this service's.");
}

/** A finding of the validation, which Purolator makes before anything else. */
export class ValidationFault extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }
}

export function invalid(key: string, message: string): ValidationFault {
  return new ValidationFault(key, message);
}

const success = xml("ResponseInformation", [xml("Errors", []), xml("InformationalMessages", [])]);

export function answer(reply: FastifyReply, name: string, content: readonly (XmlOutput | null)[]) {
  return send(reply, 200, xml(name, [success, ...content], namespace));
}

const namespace = { xmlns: "http://purolator.com/pws/datatypes/v1" };

/** A refusal: errors in a result, with status 200 unless it is about who asks, or how often. */
export function errors(
  reply: FastifyReply,
  { operation }: Pick<SoapRequest, "operation">,
  refusal: Refusal,
) {
  const { status, code, message } = refusal;
  const error = xml("Error", [
    xml("Code", code),
    xml("Description", message),
    xml("AdditionalInformation", ""),
  ]);
  const information = xml("ResponseInformation", [xml("Errors", [error])]);
  const isOfCaller = status === 401 || status === 429;
  return send(
    reply,
    isOfCaller ? status : 200,
    xml(`${operation}Response`, [information], namespace),
  );
}

export function fault(reply: FastifyReply, error: Error) {
  const isValidation = error instanceof ValidationFault;
  const detail = isValidation
    ? xml("detail", [
        xml("ValidationFault", [
          xml("Details", [
            xml("ValidationDetail", [xml("Key", error.key), xml("Message", error.message)]),
          ]),
        ]),
      ])
    : null;
  return send(
    reply,
    500,
    xml("s:Fault", [
      xml("faultcode", isValidation ? "s:Client" : "s:Server"),
      xml("faultstring", isValidation ? "The validation failed." : "The service failed."),
      detail,
    ]),
  );
}

function send(reply: FastifyReply, status: number, content: XmlOutput): FastifyReply {
  const envelope = xml("s:Envelope", [xml("s:Body", [content])], {
    "xmlns:s": "http://schemas.xmlsoap.org/soap/envelope/",
  });
  return reply.code(status).type("text/xml; charset=utf-8").send(writeXml(envelope));
}
