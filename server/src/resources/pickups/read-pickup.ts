import type { Context } from "../../context.ts";
import {
  addressProblems,
  normaliseAddress,
  reachProblems,
} from "../../domain/addresses/address-rules.ts";
import type { Address, NewAddress } from "../../domain/addresses/address.ts";
import { addRuleProblems, type Problems } from "../../domain/errors/errors.ts";
import { addAll, isRecord } from "../../domain/shipments/shipment-rules.ts";
import { cleanText } from "../../domain/text/text.ts";
import { fittingFields } from "../../domain/validation/fitting-fields.ts";
import { idsIn } from "../../domain/validation/given-ids.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { unknownIds } from "./pickable.ts";
import { NewPickup, shipmentsMax } from "../../shipping/pickups/schemas.ts";
import { findShipments, type PickableShipment } from "../../shipping/pickups/shipment-store.ts";

/** A request for a pickup as far as it is valid, and its problems without regard to other data. */
interface ReadPickup {
  problems: Problems;
  /** The fields whose shape is valid; both times or none. */
  body: Partial<NewPickup>;
  /** The shipments that exist, each with its index in `shipment_ids`. */
  named: NamedShipment[];
  /** The pickup address; null when it cannot be determined. */
  address: Address | null;
}

export interface NamedShipment {
  index: number;
  shipment: PickableShipment;
}

/** The problems of its shape, of ids that are no shipments, and of a missing address or contact. */
export async function readPickup(ctx: Context, given: unknown): Promise<ReadPickup> {
  const problems = problemsOf(NewPickup, given);
  const raw = isRecord(given) ? given : {};
  const body = wellFormed(raw);
  const ids = idsIn(raw["shipment_ids"], shipmentsMax);
  const found = await findShipments(
    ctx.db,
    ctx.account.account_id,
    ids.map(({ id }) => id),
  );
  addRuleProblems(problems, unknownIds(ids, found));
  const byId = new Map(found.map((row) => [row.id, row]));
  const named = ids.flatMap(({ id, index }) => {
    const shipment = byId.get(id);
    return shipment ? [{ index, shipment }] : [];
  });
  const isSound = addAddressProblems(problems, raw["address"]);
  const ownAddress = body.address && isSound ? normaliseAddress(body.address) : null;
  const address = raw["address"] == null ? (named[0]?.shipment.from_address ?? null) : ownAddress;
  addContactProblems(problems, raw["contact"], address);
  return { problems, body, named, address };
}

/** Both times or none. */
function wellFormed(raw: Record<string, unknown>): Partial<NewPickup> {
  const { ready_time, close_time, ...body } = fittingFields(NewPickup, raw);
  const areTimes =
    (raw["ready_time"] ?? null) === (ready_time ?? null) &&
    (raw["close_time"] ?? null) === (close_time ?? null);
  return areTimes ? { ...body, ready_time, close_time } : body;
}

function isEmpty(problems: Problems): boolean {
  return Object.keys(problems).length === 0;
}

/** Returns whether there were none. */
function addAddressProblems(problems: Problems, given: unknown): boolean {
  if (!isRecord(given)) return true;
  const rules: Problems = {};
  addAll(rules, "address", addressProblems(given as NewAddress));
  addRuleProblems(problems, rules);
  return isEmpty(rules);
}

function addContactProblems(problems: Problems, contact: unknown, address: Address | null): void {
  if (!isRecord(contact)) return;
  const [phone, email] = [contact["phone"], contact["email"]].map((text) =>
    typeof text === "string" ? cleanText(text) : null,
  );
  const rules: Problems = {};
  const country_code = address?.country_code ?? "CA";
  addAll(rules, "contact", reachProblems({ phone, email, country_code }));
  addRuleProblems(problems, rules);
}
