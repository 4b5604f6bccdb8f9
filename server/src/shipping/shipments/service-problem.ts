import type { AccountContext } from "../../context.ts";
import type { ShipmentType } from "../../domain/shipments/shipment-status.ts";
import { strategies } from "../../domain/shipments/shipment-enums.ts";

/**
 * Why a shipment of that type, or of any where that is null, cannot have the service that was named; null where it can,
 * and for what is no text: its shape is a problem of its own.
 */
export function serviceProblem(
  { carriers }: Pick<AccountContext, "carriers">,
  service: unknown,
  type: ShipmentType | null,
): string | null {
  if (typeof service !== "string" || strategies.includes(service as never)) return null;
  const known = carriers.findService(service);
  if (!known)
    return `${JSON.stringify(service)} is no service of ours, nor one of ${strategies.join(", ")}.`;
  if (type === null || known.carrier.descriptor.mode === type) return null;
  return `${JSON.stringify(service)} is not for ${type === "ltl" ? "LTL" : "courier"} shipments.`;
}
