import type { Static, TProperties, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { callJson, connections, TransportError, type JsonCall } from "../../transport/json-call.ts";
import { CarrierError, type CallContext, type ExclusionReason } from "../carrier.ts";
import { WireFailure } from "../simulator/wire.ts";

/** One simulated carrier over HTTP: what it answers, checked, or a `CarrierError` that says what is known. */
export interface CarrierClient {
  /** Sends a request and returns its answer, which has the shape of `expected` and fits the request. */
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
  /** Whether a readable answer is to this request: a label under another reference is not. */
  fits?: (answer: Static<T>) => boolean;
}

const failureShape = Compile(WireFailure);

export function carrierClient(carrier: { code: string; name: string; url: string }): CarrierClient {
  const agent = connections();
  const { code, name } = carrier;

  const failed = (
    kind: CarrierError["kind"],
    carrier_code: string,
    message: string,
    { exclusion, cause }: { exclusion?: ExclusionReason; cause?: unknown } = {},
  ) => new CarrierError({ kind, carrier: code, carrier_code, message, exclusion }, cause);

  /** An answer that is no success, as far as it can be understood. */
  function failureOf(status: number, body: unknown): CarrierError {
    const error = failureShape.Check(body) ? body.error : null;
    const message = error?.message ?? `${name} answered with status ${status}.`;
    const carrier_code = error?.code ?? "bad_answer";
    if (status === 401 || status === 403) {
      return failed("refused", carrier_code, message, { exclusion: "carrier_credentials_invalid" });
    }
    if (status === 429)
      return failed("refused", carrier_code, message, { exclusion: "carrier_rate_limited" });
    // Only the carrier's own word makes a no: a proxy's web page with a status of 4xx proves nothing.
    // And a reference that is taken is no proof that nothing was bought under it, but of the contrary.
    const refused =
      status >= 400 && status < 500 && error !== null && carrier_code !== "duplicate_reference";
    return failed(refused ? "refused" : "unknown", carrier_code, message);
  }

  return {
    async call({ path, context, ...request }, { shape, fits = () => true }) {
      const { status, body } = await callJson(agent, {
        ...request,
        url: carrier.url + path,
        headers: { authorization: `Bearer sim_${context.environment}_${context.account_id}` },
      }).catch((error: unknown) => {
        if (!(error instanceof TransportError)) throw error;
        const exclusion = error.code === "timeout" ? "carrier_timeout" : "carrier_error";
        throw failed(error.kind, error.code, `${name} ${error.message}.`, {
          exclusion,
          cause: error,
        });
      });
      if (status < 200 || status > 299) throw failureOf(status, body);
      if (shape.Check(body) && fits(body)) return body;
      throw failed("unknown", "bad_answer", `${name} gave an answer that cannot be read.`);
    },
  };
}
