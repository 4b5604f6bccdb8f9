import type { Carrier } from "../../carriers/carrier.ts";
import type { Context } from "../../context.ts";
import {
  addProblem,
  addRuleProblems,
  ApiError,
  type ErrorCode,
  type Problems,
} from "../../domain/errors/errors.ts";
import { isLabelled, isTakenBack } from "../../domain/shipments/shipment-states.ts";
import { isRecord } from "../../domain/shipments/shipment-rules.ts";
import { idsIn, type GivenId } from "../../domain/validation/given-ids.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { NewManifest, shipmentsMax, shipmentsOfDayMax } from "./schemas.ts";
import { findOfDay, findShipments, type HandedShipment } from "./shipment-store.ts";

/** A request for a manifest as far as it is valid. */
interface ReadManifest {
  problems: Problems;
  /** Null where it has no manifests. */
  carrier: Carrier | null;
  shipments: HandedShipment[];
  /** What a problem of a shipment is filed under. */
  pathOf(shipment: HandedShipment): string;
}

/** The problems of its shape, of its carrier and of ids that are no shipments; and the shipments that it means. */
export async function readManifest(ctx: Context, given: unknown): Promise<ReadManifest> {
  const problems = problemsOf(NewManifest, given);
  const raw = isRecord(given) ? given : {};
  const carrier = carrierIn(ctx, raw["carrier"], problems);
  const [ids, date] = [raw["shipment_ids"] ?? null, raw["date"] ?? null];
  if (ids !== null && date !== null)
    addRuleProblems(problems, { date: ["must not be combined with shipment_ids."] });
  if (ids === null && date === null)
    addRuleProblems(problems, { shipment_ids: ["is required, or date in its place."] });
  if (ids !== null) return named(ctx, idsIn(ids, shipmentsMax), { problems, carrier });
  const shipments =
    carrier && typeof date === "string" && problems["date"] === undefined
      ? await ofDay(ctx, carrier, { date, problems })
      : [];
  return { problems, carrier, shipments, pathOf: () => "date" };
}

function carrierIn({ carriers }: Context, code: unknown, problems: Problems): Carrier | null {
  if (typeof code !== "string") return null;
  const carrier = carriers.find(code);
  if (carrier?.manifests) return carrier;
  const why = carrier
    ? `names ${carrier.descriptor.name}, which has no manifests: its labels need none.`
    : "is no carrier of GET /carriers.";
  addRuleProblems(problems, { carrier: [why] });
  return null;
}

async function named(
  ctx: Context,
  given: readonly GivenId[],
  { problems, carrier }: { problems: Problems; carrier: Carrier | null },
): Promise<ReadManifest> {
  // The first place of an id that is repeated; the list as a whole is refused for that.
  const places = new Map(given.toReversed().map(({ id, index }) => [id, `shipment_ids.${index}`]));
  const ids = [...new Set(given.map(({ id }) => id))];
  const found = await findShipments(ctx.db, ctx.account.account_id, ids);
  const byId = new Map(found.map((row) => [row.id, row]));
  const pathOf = ({ id }: HandedShipment) => places.get(id) ?? "shipment_ids";
  const rules: Problems = {};
  const shipments = ids.flatMap((id) => {
    const shipment = byId.get(id);
    if (!shipment) addProblem(rules, places.get(id)!, "is no shipment of this account.");
    else if (carrier && isOfAnother(shipment, carrier))
      addProblem(rules, places.get(id)!, `has a label of ${shipment.carrier}.`);
    return shipment ?? [];
  });
  addRuleProblems(problems, rules);
  return { problems, carrier, shipments, pathOf };
}

/** One without a label is refused for that. */
function isOfAnother({ status, type, carrier }: HandedShipment, { descriptor }: Carrier): boolean {
  return type === "courier" && isLabelled(status) && carrier !== descriptor.code;
}

async function ofDay(
  { db, account: { account_id } }: Context,
  { descriptor: { code: carrier, name } }: Carrier,
  { date, problems }: { date: string; problems: Problems },
): Promise<HandedShipment[]> {
  const limit = shipmentsOfDayMax + 1;
  const found = await findOfDay(db, { account_id, carrier, date, limit });
  if (found.length === 0) addProblem(problems, "date", `has no label of ${name} to hand over.`);
  if (found.length > shipmentsOfDayMax)
    addProblem(
      problems,
      "date",
      `has more than ${shipmentsOfDayMax} labels of ${name}: name them in shipment_ids, ${shipmentsMax} at a time.`,
    );
  return found;
}

/**
 * Throws 409 with the ids of shipments that cannot be handed over: freight (`not_courier`), without a label
 * (`not_labelled`), or void (`conflict`).
 */
export function refuseUnlessOpen(shipments: readonly HandedShipment[]): void {
  const [freight, taken, bare] = [
    shipments.filter(({ type }) => type !== "courier"),
    shipments.filter(({ status }) => isTakenBack(status)),
    shipments.filter(({ status }) => !isLabelled(status)),
  ];
  if (freight.length > 0) throw refusal("not_courier", freight);
  if (taken.length > 0) throw refusal("conflict", taken, "These labels are void.");
  if (bare.length > 0) throw refusal("not_labelled", bare);
}

/** Throws 409 `conflict` with the shipments that are on a manifest, or about to be, and which that is. */
export function refuseMembers(
  members: readonly { shipment_id: string; manifest_id: string }[],
): void {
  if (members.length === 0) return;
  throw new ApiError("conflict", {
    message: "These shipments are on a manifest already.",
    details: {
      shipment_ids: members.map(({ shipment_id }) => shipment_id),
      manifest_ids: [...new Set(members.map(({ manifest_id }) => manifest_id))],
    },
  });
}

function refusal(code: ErrorCode, shipments: readonly HandedShipment[], message?: string) {
  return new ApiError(code, {
    message,
    details: {
      shipment_ids: shipments.map(({ id }) => id),
      statuses: Object.fromEntries(shipments.map(({ id, status }) => [id, status])),
    },
  });
}
