import { CarrierError, type Carrier } from "../../carriers/carrier.ts";
import type { CarrierConnection } from "../../carriers/connection.ts";
import type { Recorder } from "./recorder.ts";
import { sampleShipment } from "./sample.ts";
import type { Check, Found } from "./steps.ts";
import * as steps from "./steps.ts";

/** What became of a step: `skipped` where the carrier does not offer it, or a step before it failed. */
export interface StepResult {
  step: string;
  outcome: "ok" | "failed" | "skipped";
  detail: string;
  ms: number;
}

/**
 * The script of a carrier's sandbox: a quote, a purchase, its lookup, its void, twice, a purchase whose answer is lost
 * and how long it takes until it is found, a pickup and its cancellation, an address and places. What can go on without
 * a step that failed goes on. Throws nothing that the carrier does.
 */
export async function runScript(
  carrier: Carrier,
  connection: CarrierConnection,
  recorder: Recorder,
  {
    report,
    ...pace
  }: Pick<Check, "look_up_seconds" | "every_seconds"> & {
    report(result: StepResult): void;
  },
): Promise<StepResult[]> {
  const { environment } = connection;
  const context = { account_id: "acc_carrier_check", environment, connection };
  const shipment = sampleShipment(carrier, connection);
  const check: Check = { ...pace, carrier, connection, context, recorder, shipment };
  const results: StepResult[] = [];
  const step = stepper(recorder, (result) => {
    results.push(result);
    report(result);
  });

  await step("credentials", () => steps.testCredentials(check));
  const purchase = await step("quote", () => steps.quote(check));
  const label = await step("buy", () => steps.buy(check, needed(purchase)));
  await step("file", () => steps.fetchLabel(check, needed(label)));
  await step("look up", () => steps.lookUp(check, needed(label)));
  await step("void", () => steps.voidLabel(check, needed(label)));
  await step("void again", () => steps.voidLabel(check, needed(label)));
  const lost = await step("buy, answer lost", () => steps.buyUnheard(check, needed(purchase)));
  const found = await step("look up what was lost", () => steps.findLost(check, needed(lost)));
  await step("void what was found", () => steps.voidLabel(check, needed(found)));
  const pickup = await step("pickup", () => steps.schedulePickup(check, label?.ref.tracking_code));
  await step("cancel the pickup", () => steps.cancelPickup(check, needed(pickup)));
  await step("address", () => steps.checkAddress(check));
  await step("places", () => steps.findPlaces(check));
  return results;
}

function stepper(recorder: Recorder, report: (result: StepResult) => void) {
  return async <T>(step: string, run: () => Promise<Found<T>>): Promise<T | undefined> => {
    recorder.step(step);
    const begun = performance.now();
    // What a step needs may be missing before it begins.
    const ended = await Promise.resolve()
      .then(run)
      .then(
        ({ detail, value }) => ({ outcome: "ok" as const, detail, value }),
        (error: unknown) => ({ ...failureOf(error), value: undefined }),
      );
    const { outcome, detail, value } = ended;
    const result = { step, outcome, detail, ms: Math.round(performance.now() - begun) };
    report(result);
    return value;
  };
}

function failureOf(error: unknown): Pick<StepResult, "outcome" | "detail"> {
  if (error instanceof steps.Skipped) return { outcome: "skipped", detail: error.message };
  if (!(error instanceof CarrierError)) return { outcome: "failed", detail: String(error) };
  const { kind, carrier_code, message } = error;
  return { outcome: "failed", detail: `${kind} (${carrier_code}): ${message}` };
}

function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new steps.Skipped("a step before it failed");
  return value;
}
