import { randomInt } from "node:crypto";
import type { AccountContext, Context } from "../../context.ts";
import type { ShipmentRow } from "./store.ts";
import { nullRow } from "../../database/columns.ts";
import { normaliseAddress } from "../../domain/addresses/address-rules.ts";
import type { NewAddress } from "../../domain/addresses/address.ts";
import { protectionProblems } from "../../domain/limits/declared-value.ts";
import {
  addProblem,
  addRuleProblems,
  ApiError,
  type Problems,
} from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { toCents } from "../../domain/values/money.ts";
import {
  areMissingCodes,
  normaliseItem,
  normalisePackage,
  shipmentProblems,
} from "../../domain/shipments/shipment-rules.ts";
import { shipmentTypes, type ShipmentType } from "../../domain/shipments/shipment-status.ts";
import { mapYielding } from "../../domain/scheduling/time-slices.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { readRatesFor } from "../exchange-rates/exchange-book.ts";
import { withProducts } from "../products/fill-items.ts";
import { addForeignFields } from "./foreign-fields.ts";
import { withDefaults, withPreferences } from "./left-out.ts";
import { freightDataOf, freightRulesOf } from "./ltl-shipment.ts";
import { serviceProblem } from "./service-problem.ts";
import { NewLtlShipment, NewShipment, type ShipmentEntry } from "./schemas.ts";

/**
 * The purpose that an entry is read for: a shipment to be shipped, one to be priced, or one that the
 * account's rules act on before it is stored, which may still lack the codes that they fill in.
 */
type ReadFor = "ship" | "quote" | "rules";

/** The row to store, or all problems of the entry. */
export type ReadShipment = { row: ShipmentRow; problems: null } | { row: null; problems: Problems };

/** As `readNewShipments`, of one entry. */
export async function readNewShipment(
  ctx: Context,
  entry: unknown,
  purpose: ReadFor = "ship",
): Promise<ReadShipment> {
  return (await readNewShipments(ctx, [entry], purpose))[0]!;
}

/**
 * Turns entries of a request into the rows to store, or returns all problems of each. Approved products fill
 * their items' customs fields first: what is missing then is a problem.
 */
export async function readNewShipments(
  ctx: Context,
  entries: readonly unknown[],
  purpose: ReadFor = "ship",
): Promise<ReadShipment[]> {
  const filled = await withProducts(ctx.db, ctx.account.account_id, entries);
  await readRatesFor(ctx, filled.flatMap(packagesOf));
  return mapYielding(filled, (entry) => readEntry(ctx, entry, purpose));
}

function packagesOf(entry: unknown): unknown[] {
  const { packages } = (entry ?? {}) as { packages?: unknown };
  return Array.isArray(packages) ? packages : [];
}

/** The shape and the rules between fields are validated together, so that one answer names all failing fields. */
function readEntry(ctx: Context, entry: unknown, purpose: ReadFor): ReadShipment {
  const problems = problemsOf(schemaFor(entry), entry);
  if (typeof entry !== "object" || entry === null || Array.isArray(entry))
    return { row: null, problems };
  // The cross-field rules accept both types; each schema only its own.
  if (typeOf(entry) === null) delete problems["type"];
  const shipment = withDefaults(ctx, withPreferences(ctx, entry as ShipmentEntry));
  addRuleProblems(problems, rulesOf(ctx, shipment, purpose === "quote" ? "quote" : "ship"));
  const isFit =
    Object.keys(problems).length === 0 || (purpose === "rules" && areMissingCodes(problems));
  return isFit ? { row: toRow(ctx, shipment), problems: null } : { row: null, problems };
}

/** The schema of the entry's stated type; without a type it is a courier shipment (decision 6). */
function schemaFor(entry: unknown) {
  return typeOf(entry) === "ltl" ? NewLtlShipment : NewShipment;
}

/** The entry's type: `courier` when it has none, null for an unknown one. */
export function typeOf(entry: unknown): ShipmentType | null {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return null;
  const type = (entry as { type?: unknown }).type ?? "courier";
  return shipmentTypes.find((each) => each === type) ?? null;
}

/** The rules that a schema cannot express: between fields, against tables, against what carriers offer. */
export function rulesOf(
  ctx: AccountContext,
  shipment: ShipmentEntry,
  purpose: "ship" | "quote" = "ship",
): Problems {
  const isLtl = shipment.type === "ltl";
  const problems: Problems = isLtl
    ? freightRulesOf(ctx, shipment, purpose)
    : { ...shipmentProblems(shipment, purpose), ...protectionRules(ctx, shipment) };
  if (typeOf(shipment) === null)
    addProblem(problems, "type", `must be one of ${shipmentTypes.join(", ")}.`);
  if (!shipment.from_address) {
    addProblem(
      problems,
      "from_address",
      "is required, because the account has no default ship-from address.",
    );
  }
  addForeignFields(problems, shipment);
  const sentence = serviceProblem(ctx, shipment.service, isLtl ? "ltl" : "courier");
  if (sentence) addProblem(problems, "service", sentence);
  return problems;
}

/** Requested protection covers the declared values of the packages, in the account's currency. */
function protectionRules({ account, exchange }: AccountContext, shipment: NewShipment): Problems {
  const { packages, insured_value: insured, add_ons } = shipment;
  if (!Array.isArray(add_ons) || !add_ons.includes("protection")) return {};
  const money = { currency: account.currency, exchange: exchange.known() };
  return protectionProblems({ packages, insured }, money);
}

function toRow(ctx: Context, shipment: ShipmentEntry): ShipmentRow {
  const now = ctx.clock.now();
  return {
    ...nullRow("shipments"),
    account_id: ctx.account.account_id,
    id: newId("shp", now),
    type: shipment.type ?? "courier",
    status: "draft",
    ship_code: newShipCode(),
    revision: 1,
    documents: [],
    messages: [],
    cost_unconfirmed: false,
    on_hold: false,
    ...shipDataOf(ctx, shipment),
    ...merchantDataOf(shipment),
    created_at: now,
    updated_at: now,
  };
}

/** The columns that a carrier prices or prints, from an entry that has no problems. */
export function shipDataOf(ctx: Context, shipment: ShipmentEntry) {
  const from = shipment.from_address;
  if (!from) throw new ApiError("internal_error");
  return {
    ...(shipment.type === "ltl"
      ? freightDataOf(ctx, shipment, from)
      : parcelDataOf(ctx, shipment, from)),
    service: shipment.service ?? null,
    contents_type: shipment.contents_type ?? null,
    incoterm: shipment.incoterm ?? null,
  };
}

function parcelDataOf(ctx: Context, shipment: NewShipment, from: NewAddress) {
  const from_address = normaliseAddress(from);
  const back = shipment.return_address ?? from;
  return {
    from_address,
    to_address: normaliseAddress(shipment.to_address),
    return_address: back === from ? from_address : normaliseAddress(back),
    is_return: shipment.is_return ?? false,
    packages: shipment.packages.map((each) => normalisePackage(each, newId("pkg"))),
    handling_units: [],
    pickup: null,
    delivery: null,
    items: (shipment.items ?? []).map((item) => normaliseItem(item, ctx.account.currency)),
    add_ons: shipment.add_ons ?? [],
    signature_confirmation: shipment.signature_confirmation ?? null,
    label_format: shipment.label_format ?? null,
    label_size: shipment.label_size ?? null,
    insured_value_cents:
      typeof shipment.insured_value === "number" ? toCents(shipment.insured_value) : null,
  };
}

function merchantDataOf(shipment: ShipmentEntry) {
  return {
    reference: shipment.reference ?? null,
    metadata: shipment.metadata ?? {},
    tags: shipment.tags ?? [],
    order_id: shipment.order_id ?? null,
  };
}

// Crockford's alphabet: no letter that a person could misread from a label.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function newShipCode(): string {
  let code = "";
  for (let place = 0; place < 10; place++) code += alphabet[randomInt(alphabet.length)];
  return code;
}
