import { isDeepStrictEqual } from "node:util";
import type { Address } from "../addresses/address.ts";
import { normaliseAddress } from "../addresses/address-rules.ts";
import type { ShipmentSubject } from "../criteria/subjects.ts";
import { folded } from "../criteria/folded.ts";
import { toCents } from "../values/money.ts";
import type { Item, Package } from "../goods/parcel.ts";
import { addWeight } from "../goods/units.ts";
import type { Action, ActionOf, ActionType } from "./actions.ts";
import { cannot } from "./rule-failure.ts";
import { noEffects, type RuleRef, type RuleEffects } from "./rule-effects.ts";

/** The fields of a shipment that actions read and change: of a row, or of one about to be created. */
export interface ShipmentDraft extends ShipmentSubject {
  from_address: Address;
  return_address: Address;
  packages: Package[];
  items: Item[];
  add_ons: string[];
  incoterm: string | null;
  contents_type: string | null;
  reference: string | null;
  tags: string[];
  batch_id: string | null;
  on_hold: boolean;
  rule_terms: RuleEffects | null;
}

export type ShipmentChange = Partial<ShipmentDraft>;

/** The actions that change fields of a shipment; the others are side effects. */
export type ChangingType = Exclude<ActionType, "add_to_batch" | "buy_label" | "reject">;

/** Whether the service is for that type of shipment. */
export type ServiceFits = (service: string, type: string) => boolean;

interface ActingRule extends RuleRef {
  service_fits: ServiceFits;
}

/**
 * The new values of the shipment's fields by the action. Throws a `RuleFailure` for a shipment that
 * cannot have them.
 */
export function changeShipment(
  draft: ShipmentDraft,
  action: Action & { type: ChangingType },
  rule: ActingRule,
): ShipmentChange {
  const change = changes[action.type] as Change<ChangingType>;
  return change(draft, action, rule);
}

type Change<T extends ActionType> = (
  draft: ShipmentDraft,
  action: ActionOf<T>,
  rule: ActingRule,
) => ShipmentChange;

const changes: { [T in ChangingType]: Change<T> } = {
  set_service({ type, rule_terms }, { service, strategy, max_total }, rule) {
    const chosen = (service ?? strategy)!;
    if (service && !rule.service_fits(service, type))
      cannot(`${service} is not for ${nameOf(type)} shipments.`);
    const price_cap =
      max_total == null
        ? null
        : { ...refOf(rule), service: chosen, max_total_cents: toCents(max_total) };
    // A shipment without rule effects needs none.
    if (!rule_terms && !price_cap) return { service: chosen };
    return { service: chosen, rule_terms: { ...(rule_terms ?? noEffects), price_cap } };
  },

  exclude_carrier: ({ rule_terms }, { carrier }, rule) =>
    excluding(rule_terms, { kind: "carrier", code: carrier, ...refOf(rule) }),

  exclude_service: ({ rule_terms }, { service }, rule) =>
    excluding(rule_terms, { kind: "service", code: service, ...refOf(rule) }),

  set_package(draft, { length, width, height, size_unit, package_type }) {
    const sides = length != null ? { length, width, height, size_unit } : {};
    const given = { ...sides, ...(package_type ? { package_type } : {}) } as Partial<Package>;
    return { packages: parcelsOf(draft).map((each) => ({ ...each, ...given })) };
  },

  add_weight: (draft, { weight, weight_unit }) => ({
    packages: parcelsOf(draft).map((each) => ({
      ...each,
      weight: addWeight(each, { weight, weight_unit }),
    })),
  }),

  add_add_on(draft, { add_on }) {
    if (draft.type !== "courier") cannot("Add-ons are for courier shipments.");
    return draft.add_ons.includes(add_on) ? {} : { add_ons: [...draft.add_ons, add_on] };
  },

  set_from_address({ from_address, return_address }, { address }) {
    const origin = normaliseAddress(address);
    // Returns go to the sender, unless stated otherwise.
    if (!isDeepStrictEqual(return_address, from_address)) return { from_address: origin };
    return { from_address: origin, return_address: origin };
  },

  set_customs: ({ items }, { hs_code, country_of_origin, incoterm, contents_type }) => ({
    ...itemsWith(items, { hs_code, country_of_origin }),
    ...(incoterm ? { incoterm } : {}),
    ...(contents_type ? { contents_type } : {}),
  }),

  add_tag: ({ tags }, { tag }) => ({ tags: withTag(tags, tag) }),
  remove_tag: ({ tags }, { tag }) => ({ tags: withoutTag(tags, tag) }),
  set_reference: (_draft, { reference }) => ({ reference }),
  hold: () => ({ on_hold: true }),
};

function refOf({ rule_id, rule_name }: ActingRule): RuleRef {
  return { rule_id, rule_name };
}

function nameOf(type: string): string {
  return type === "ltl" ? "LTL" : "courier";
}

function excluding(
  terms: RuleEffects | null,
  exclusion: RuleEffects["exclusions"][number],
): ShipmentChange {
  const { exclusions, ...rest } = terms ?? noEffects;
  const isThere = exclusions.some(
    ({ kind, code }) => kind === exclusion.kind && code === exclusion.code,
  );
  return isThere ? {} : { rule_terms: { ...rest, exclusions: [...exclusions, exclusion] } };
}

function parcelsOf({ type, packages }: ShipmentDraft): Package[] {
  if (type !== "courier") cannot("Freight has handling units and no packages.");
  return packages;
}

/** The lines with these customs codes, where codes are given; nothing where there are no lines. */
export function itemsWith<I extends Pick<Item, "hs_code" | "country_of_origin">>(
  items: I[],
  { hs_code, country_of_origin }: { hs_code?: string | null; country_of_origin?: string | null },
): { items?: I[] } {
  if (!hs_code && !country_of_origin) return {};
  const given = {
    ...(hs_code ? { hs_code } : {}),
    ...(country_of_origin ? { country_of_origin } : {}),
  };
  return { items: items.map((item) => ({ ...item, ...given })) };
}

const tagsMax = 50;

/** Tags are the same without regard to case, as criteria compare them. */
export function withTag(tags: string[], tag: string): string[] {
  if (tags.some((each) => folded(each) === folded(tag))) return tags;
  if (tags.length >= tagsMax) cannot(`There are ${tagsMax} tags already.`);
  return [...tags, tag];
}

export function withoutTag(tags: string[], tag: string): string[] {
  return tags.filter((each) => folded(each) !== folded(tag));
}
