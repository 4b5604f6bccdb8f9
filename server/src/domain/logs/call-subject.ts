import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a call of a carrier is about, for its line in the log. In the async context, because carriers are called
 * through layers that know neither requests nor attempts.
 */
export interface CallSubject {
  request_id: string | null;
  attempt_id: string | null;
  shipment_id: string | null;
}

const subject = new AsyncLocalStorage<CallSubject>();
const nothing: CallSubject = { request_id: null, attempt_id: null, shipment_id: null };

export function currentCallSubject(): CallSubject {
  return subject.getStore() ?? nothing;
}

/** Runs the work, whose calls are about this; what is not given stays as it is around it. */
export function aboutSubject<T>(about: Partial<CallSubject>, work: () => T): T {
  return subject.run({ ...currentCallSubject(), ...about }, work);
}
