import { createWaybill, type Waybill } from "@waybill/sdk";
import { useEnvironment, type Environment } from "./environment.ts";

type Listener = (environment: Environment) => void;

const listeners = new Set<Listener>();

/** Calls that send a body and change nothing. */
const reading = /\/(rates|estimate|validate|combine|test)(\/|$)/;

/** Calls the listener after each answer to a call that may have changed something, whichever screen sent it. */
export function onChange(listener: Listener): void {
  listeners.add(listener);
}

function tell(environment: Environment, { method, url }: { method: string; url: string }): void {
  if (method === "GET" || method === "HEAD" || reading.test(new URL(url).pathname)) return;
  for (const listener of listeners) listener(environment);
}

const clients: Partial<Record<Environment, Waybill>> = {};

/** The client of an environment; it sends the session's cookie. */
export function waybillOf(environment: Environment): Waybill {
  return (clients[environment] ??= createWaybill({
    environment,
    onResponse: (seen) => tell(environment, seen),
  }));
}

/** The client of the environment in the URL. */
export function useWaybill(): Waybill {
  return waybillOf(useEnvironment());
}
