import { eventTypes, type EventType } from "../../src/domain/events/catalogue.ts";
import { Errors } from "typebox/value";

/**
 * What is wrong with the events of a statement that the product sent, as sentences: the compiler checks their
 * data where it is written, and this what is written.
 */
export function eventFaults(text: string, values: readonly unknown[]): string[] {
  // As `recordEvents` writes them: tests that need many rows make their own.
  if (!/INSERT INTO event_outbox .* FROM jsonb_to_recordset/s.test(text)) return [];
  const [written] = values;
  if (typeof written !== "string") return [`events are not written as JSON: ${text}`];
  const rows = JSON.parse(written) as { events: { type: EventType; data: unknown }[] }[];
  return rows.flatMap(({ events }) => events.flatMap(({ type, data }) => faultsOf(type, data)));
}

function faultsOf(type: EventType, data: unknown): string[] {
  if (!(type in eventTypes)) return [`${type} is not in the catalogue`];
  // Not compiled: some tests count what a process compiles.
  const errors = Errors(eventTypes[type].data, data);
  return errors.map(({ instancePath, message }) => `${type}: ${instancePath} ${message}`);
}
