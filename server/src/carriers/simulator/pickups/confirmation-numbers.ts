import { createHash } from "node:crypto";
import { courierOf } from "../carriers/carriers.ts";

/**
 * The number by which a carrier's drivers and help desk know a pickup, in the carrier's form. Those of one journal
 * differ, and so, nearly always, do those of two.
 */
export function confirmationNumber(
  carrier: string,
  { seed, serial }: { seed: string; serial: number },
): string {
  const digits = createHash("sha256").update(`${seed}:${carrier}`).digest("hex");
  return courierOf(carrier).pickupNumber(String(serial), digits);
}
