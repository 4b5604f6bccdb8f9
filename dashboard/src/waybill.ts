import { createWaybill, type Waybill } from "@waybill/sdk";
import { useEnvironment, type Environment } from "./environment.ts";

const clients: Partial<Record<Environment, Waybill>> = {};

/** The client of an environment; it sends the session's cookie. */
export function waybillOf(environment: Environment): Waybill {
  return (clients[environment] ??= createWaybill({ environment }));
}

/** The client of the environment in the URL. */
export function useWaybill(): Waybill {
  return waybillOf(useEnvironment());
}
