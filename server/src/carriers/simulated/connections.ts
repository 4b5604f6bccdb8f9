import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { CarrierConnection } from "../connection.ts";
import { CarrierError, type Carrier, type ConnectionTest } from "../carrier.ts";
import { WireAccountResponse } from "../simulator/wire.ts";
import type { CarrierClient } from "./client.ts";

/** The fields of a connection with a carrier that the simulator plays: it accepts keys that begin with `sim_`. */
export const simulatedCredentials = {
  values: Type.Object(
    { account_number: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })) },
    { additionalProperties: false },
  ),
  secrets: Type.Object(
    { api_key: Type.String({ minLength: 1, maxLength: 200, pattern: "^[\\x21-\\x7e]+$" }) },
    { additionalProperties: false },
  ),
};

const accountShape = Compile(WireAccountResponse);

/** Asks for the account that the connection belongs to. */
export function connectionTest(
  client: CarrierClient,
  { name, timeout_ms }: { name: string; timeout_ms: number },
): NonNullable<Carrier["testConnection"]> {
  return async (connection: CarrierConnection, signal): Promise<ConnectionTest> => {
    const { environment } = connection;
    const context = { account_id: "platform", environment, connection };
    try {
      await client.call(
        { method: "GET", path: "/account", context, signal, timeout_ms },
        { shape: accountShape },
      );
      return { ok: true, code: "ok", message: `${name} accepts the credentials.` };
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      const { message, exclusion, carrier_code } = error;
      const isRefused = exclusion === "carrier_credentials_invalid";
      return { ok: false, code: isRefused ? "credentials_invalid" : carrier_code, message };
    }
  };
}
