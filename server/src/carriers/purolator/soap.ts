import { callHttp, connections, type HttpAnswer } from "../../transport/http-call.ts";
import type { CallContext } from "../carrier.ts";
import { badAnswer, withoutAnswer } from "../protocol/classify.ts";
import { basic, connectionOf, type Hosts } from "../protocol/rest-client.ts";
import { steeringHeader } from "../protocol/steering-header.ts";
import { optional, writeXml, xml, type XmlOutput } from "../protocol/xml.ts";
import { errorTable } from "./errors.ts";

/** Purolator's services: a SOAP envelope each, whose elements have a fixed order. */

export const purolatorHosts: Hosts = {
  live: "https://webservices.purolator.com",
  test: "https://devwebservices.purolator.com",
};

/** Where a service is, and the version of its types; of its context's, other projects send these. */
const services = {
  shipping: ["/EWS/V2/Shipping/ShippingService.asmx", "v2", "2.1"],
  estimating: ["/EWS/V2/Estimating/EstimatingService.asmx", "v2", "2.1"],
  availability: ["/EWS/V2/ServiceAvailability/ServiceAvailabilityService.asmx", "v2", "2.1"],
  returns: ["/EWS/V2/ReturnsManagement/ReturnsManagementService.asmx", "v2", "2.1"],
  documents: ["/EWS/V1/ShippingDocuments/ShippingDocumentsService.asmx", "v1", "1.3"],
  pickups: ["/EWS/V1/PickUp/PickUpService.asmx", "v1", "1.2"],
  locator: ["/EWS/V1/Locator/LocatorService.asmx", "v1", "1.0"],
  tracking: ["/PWS/V1/Tracking/TrackingService.asmx", "v1", "1.2"],
} as const;
export type Service = keyof typeof services;

interface SoapCall {
  service: Service;
  operation: string;
  /** The children of the operation's request, in the order of its schema. */
  request: readonly (XmlOutput | null)[];
  /** Echoed, and nothing else: it finds nothing. */
  reference?: string;
  context: CallContext;
  signal: AbortSignal;
  timeout_ms: number;
  /** Words for the simulator where the operation has no address. */
  steering?: string | null;
}

export interface SoapClient {
  /** The answer, whatever it says. Throws a `CarrierError` where there is none. */
  call(call: SoapCall): Promise<HttpAnswer>;
  /** A file by its address, without credentials. Refuses an address that is not the carrier's. */
  file(
    url: string,
    call: { context: CallContext; signal: AbortSignal; timeout_ms: number },
  ): Promise<HttpAnswer>;
}

export function soapClient(hosts: Hosts): SoapClient {
  const agent = connections();
  const failed = (error: unknown) => {
    throw withoutAnswer(errorTable, error);
  };
  return {
    async call({ service, operation, request, reference, context, steering, ...limits }) {
      const connection = connectionOf(errorTable, context);
      const { key = "", password = "", user_token } = connection.secrets;
      const [path, version] = services[service];
      const base = hosts[connection.environment];
      return callHttp(agent, {
        ...limits,
        method: "POST",
        url: base + path,
        headers: {
          authorization: basic(key, password),
          "content-type": "text/xml; charset=utf-8",
          soapaction: `"http://purolator.com/pws/service/${version}/${operation}"`,
          ...steeringHeader(base, steering ?? null),
        },
        body: envelope({ service, operation, request, reference, user_token }),
      }).catch(failed);
    },

    async file(url, { context, signal, timeout_ms }) {
      const { environment } = connectionOf(errorTable, context);
      if (!isOwn(url, hosts[environment])) throw badAnswer(errorTable);
      return callHttp(agent, { method: "GET", url, signal, timeout_ms }).catch(failed);
    },
  };
}

/** At its own host or at one of Purolator's: an answer does not say where else we call. */
function isOwn(url: string, base: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return (
    (protocol === "https:" && /\.purolator\.com$/.test(hostname)) || origin === new URL(base).origin
  );
}

/** The document of one call. */
export function envelope({
  service,
  operation,
  request,
  reference,
  user_token,
}: Pick<SoapCall, "service" | "operation" | "request" | "reference"> & {
  user_token?: string;
}): string {
  const [, version, contextVersion] = services[service];
  const context = xml(
    "RequestContext",
    [
      xml("Version", contextVersion),
      xml("Language", "en"),
      xml("GroupID", "Waybill"),
      xml("RequestReference", reference ?? operation),
      optional("UserToken", user_token),
    ],
    { xmlns: `http://purolator.com/pws/datatypes/${version}` },
  );
  const body = xml(`${operation}Request`, request, {
    xmlns: `http://purolator.com/pws/datatypes/${version}`,
  });
  return writeXml(
    xml("soap:Envelope", [xml("soap:Header", [context]), xml("soap:Body", [body])], {
      "xmlns:soap": "http://schemas.xmlsoap.org/soap/envelope/",
    }),
  );
}
