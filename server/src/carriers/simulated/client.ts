import type { Static, TProperties, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { connections, TransportError } from "../../transport/http-call.ts";
import { callJson, type JsonCall, type JsonResponse } from "../../transport/json-call.ts";
import { CarrierError, type CallContext, type ExclusionReason } from "../carrier.ts";
import { callerHeader, WireFailure } from "../simulator/wire.ts";

/** One simulated carrier over HTTP: its validated response, or a `CarrierError` that states what is known. */
export interface CarrierClient {
  /** Sends a request and returns its response, which has the shape of `expected` and fits the request. */
  call<T extends TSchema>(request: CarrierCall, expected: Expected<T>): Promise<Static<T>>;
}

export interface CarrierCall {
  method: JsonCall["method"];
  /** Below the carrier's own address. */
  path: string;
  body?: object;
  context: CallContext;
  signal: AbortSignal;
  timeout_ms: number;
}

export interface Expected<T extends TSchema> {
  shape: Validator<TProperties, T>;
  /** Whether a readable response belongs to this request: a label under another reference does not. */
  fits?: (answer: Static<T>) => boolean;
}

const failureShape = Compile(WireFailure);

interface Trouble {
  exclusion: ExclusionReason;
  words: (carrierName: string) => string;
}

const credentialsInvalid: Trouble = {
  exclusion: "carrier_credentials_invalid",
  words: (name) => `${name} does not accept our credentials.`,
};

/**
 * Refusals that are about the platform and not about the shipment. Their messages are Waybill's own,
 * since a carrier's may quote the credentials.
 */
const troubles: Readonly<Record<number, Trouble>> = {
  401: credentialsInvalid,
  403: credentialsInvalid,
  429: {
    exclusion: "carrier_rate_limited",
    words: (name) => `${name} is being asked too often.`,
  },
};

/** Without a connection the credential names the caller; with one, a header beside it does. */
function headersOf({ connection, environment, account_id }: CallContext): Record<string, string> {
  const caller = `${environment}_${account_id}`;
  if (!connection) return { authorization: `Bearer sim_${caller}` };
  const { api_key = "" } = connection.secrets;
  return { authorization: `Bearer ${api_key}`, [callerHeader]: caller };
}

export function carrierClient(carrier: { code: string; name: string; url: string }): CarrierClient {
  const agent = connections();
  const { code, name } = carrier;

  const failed = (
    failure: Omit<ConstructorParameters<typeof CarrierError>[0], "carrier">,
    cause?: unknown,
  ) => new CarrierError({ ...failure, carrier: code }, cause);

  /** An error response, as far as it can be understood. */
  function failureOf({ status, body, retry_after_seconds }: JsonResponse): CarrierError {
    const error = failureShape.Check(body) ? body.error : null;
    const carrier_code = error?.code ?? "bad_answer";
    // Only the carrier's own error code makes a refusal: a proxy's web page with a status of 4xx
    // proves nothing. And a reference that is in use does not prove that nothing was bought under it,
    // but the contrary.
    const isRefusal = status < 500 && error !== null && carrier_code !== "duplicate_reference";
    const kind = isRefusal ? "refused" : "unknown";
    const trouble = troubles[status];
    if (trouble) {
      const { exclusion, words } = trouble;
      return failed({ kind, carrier_code, message: words(name), exclusion, retry_after_seconds });
    }
    const exclusion = carrier_code === "currency_not_supported" ? carrier_code : undefined;
    // The message of a broken carrier is not meant for customers.
    const message = isRefusal ? error.message : `${name} answered with status ${status}.`;
    return failed({ kind, carrier_code, message, exclusion, actual_cost: error?.actual_cost });
  }

  const send = ({ path, context, ...request }: CarrierCall): Promise<JsonResponse> =>
    callJson(agent, {
      ...request,
      url: carrier.url + path,
      headers: headersOf(context),
    }).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      const exclusion = error.code === "timeout" ? "carrier_timeout" : "carrier_error";
      const { kind, code: carrier_code } = error;
      const message = `${name} ${error.message}.`;
      throw failed({ kind, carrier_code, message, exclusion }, error);
    });

  return {
    async call(request, { shape, fits = () => true }) {
      let answer = await send(request);
      // The carrier's own answer that the token has expired proves that it did nothing.
      if (isExpired(answer)) answer = await send(request);
      if (answer.status < 200 || answer.status > 299) throw failureOf(answer);
      // A refusal in the carrier's own form is one, whatever its status.
      if (failureShape.Check(answer.body)) throw failureOf(answer);
      if (shape.Check(answer.body) && fits(answer.body)) return answer.body;
      const message = `${name} gave an answer that cannot be read.`;
      throw failed({ kind: "unknown", carrier_code: "bad_answer", message });
    },
  };
}

function isExpired({ status, body }: JsonResponse): boolean {
  return status === 401 && failureShape.Check(body) && body.error.code === "token_expired";
}
