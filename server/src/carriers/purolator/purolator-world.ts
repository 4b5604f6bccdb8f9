import type { CarrierConnection } from "../connection.ts";

/** Test data: an account with Purolator, which the simulator takes as any other. */
export function aConnection(): CarrierConnection {
  return {
    id: "con_purolator",
    environment: "test",
    origin: "platform",
    version: 1,
    values: { account_number: "9999999999" },
    secrets: { key: "key", password: "secret", user_token: "token" },
  };
}
