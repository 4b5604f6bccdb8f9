import type { CarrierConnection } from "../connection.ts";

/** Test data: a contract with Canada Post, which the simulator takes as any other. */
export function aConnection(values: Record<string, string> = {}): CarrierConnection {
  return {
    id: "con_canada_post",
    environment: "test",
    origin: "platform",
    version: 1,
    values: {
      customer_number: "2004381",
      contract_id: "42708517",
      contact_email: "shipping@example.com",
      ...values,
    },
    secrets: { username: "key", password: "secret" },
  };
}
