import { CarrierError, type CallContext, type Carrier } from "../carrier.ts";

/**
 * A connection's test by one harmless call of the carrier: what it answers does not matter, but that it accepts the
 * credentials. Its own refusals of anything else are told as they are.
 */
export function connectionTest(
  name: string,
  call: (context: CallContext, signal: AbortSignal) => Promise<unknown>,
): NonNullable<Carrier["testConnection"]> {
  return async (connection, signal) => {
    const { environment } = connection;
    try {
      await call({ account_id: "platform", environment, connection }, signal);
      return { ok: true, code: "ok", message: `${name} accepts the credentials.` };
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      const { message, exclusion, carrier_code } = error;
      const isRefused = exclusion === "carrier_credentials_invalid";
      return { ok: false, code: isRefused ? "credentials_invalid" : carrier_code, message };
    }
  };
}
