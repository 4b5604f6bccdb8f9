import { AsyncLocalStorage } from "node:async_hooks";
import type { Origin } from "../accounts/principal.ts";

/**
 * What a call of a carrier is about, for its line in the log. In the async context, because carriers are called
 * through layers that know neither requests nor attempts.
 */
interface CallSubject {
  request_id: string | null;
  attempt_id: string | null;
  shipment_id: string | null;
  /** The account lets the log keep bodies. Unless that is known, none is kept. */
  keeps_bodies: boolean;
}

const subject = new AsyncLocalStorage<CallSubject>();
const nothing: CallSubject = {
  request_id: null,
  attempt_id: null,
  shipment_id: null,
  keeps_bodies: false,
};

export function currentCallSubject(): CallSubject {
  return subject.getStore() ?? nothing;
}

/** Runs the work, whose calls are about this; what is not given stays as it is around it. */
export function aboutSubject<T>(about: Partial<CallSubject>, work: () => T): T {
  return subject.run({ ...currentCallSubject(), ...about }, work);
}

/** The same for the calls of an attempt. */
export function aboutAttempt<T>(
  { id, subject_id, request_id }: { id: string; subject_id: string } & Pick<Origin, "request_id">,
  work: () => T,
): T {
  const shipment = subject_id.startsWith("shp_") ? { shipment_id: subject_id } : {};
  return aboutSubject({ attempt_id: id, request_id, ...shipment }, work);
}
