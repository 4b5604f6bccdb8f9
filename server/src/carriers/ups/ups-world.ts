import type { CarrierConnection } from "../connection.ts";

/** Test data: an account with UPS in Canada, which the simulator takes as any other. */
export function aConnection(values: Record<string, string> = {}): CarrierConnection {
  return {
    id: "con_ups",
    environment: "test",
    origin: "platform",
    version: 1,
    values: { account_number: "A1B2C3", account_country: "CA", ...values },
    secrets: { client_id: "client", client_secret: "secret" },
  };
}
