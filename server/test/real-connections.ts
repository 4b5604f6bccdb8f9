import { dialects } from "../src/carriers/dialects.ts";
import { must, type World } from "./world.ts";

/**
 * Connections with the carriers that have adapters: over their dialects, in the sandbox. Each has secrets that no
 * log, row, file or answer may show.
 */

export const plantedSecrets = {
  canada_post: { username: "planted-cp-user-f2a1", password: "planted-cp-pass-9e4c" },
  purolator: { key: "planted-puro-key-77b0", password: "planted-puro-pass-d15e" },
  ups: { client_id: "planted-ups-id-3c8d", client_secret: "planted-ups-secret-b6f9" },
  usps: { client_id: "planted-usps-id-0a7e", client_secret: "planted-usps-secret-52dd" },
} as const;

export type RealCarrier = keyof typeof plantedSecrets;
export const realCarriers = Object.keys(plantedSecrets) as RealCarrier[];

/** Makes the platform's connection with a carrier; returns its id. */
export async function connectTo(
  { operator }: Pick<World, "operator">,
  carrier: RealCarrier,
  more: object = {},
): Promise<string> {
  const secrets = plantedSecrets[carrier];
  const given = { carrier, environment: "test", name: carrier, values: valuesOf(carrier), secrets };
  const made = await operator.post<{ data: { id: string } }>("/carrier-connections", {
    ...given,
    ...more,
  });
  return must(made, 201).data.id;
}

function valuesOf(carrier: RealCarrier) {
  return dialects.find((each) => each.carrier === carrier)!.connection.values;
}
