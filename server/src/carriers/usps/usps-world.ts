import type { CarrierConnection } from "../connection.ts";

/** Test data: an account with USPS, which the simulator takes as any other. */
export function aConnection(values: Record<string, string> = {}): CarrierConnection {
  return {
    id: "con_usps",
    environment: "test",
    origin: "platform",
    version: 1,
    values: { crid: "12345678", mid: "123456789", account_number: "1000000000", ...values },
    secrets: { client_id: "client", client_secret: "secret" },
  };
}
