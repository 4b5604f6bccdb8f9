import { Type, type Static, type TObject, type TSchema } from "typebox";
import { NewAddress } from "../addresses/address.ts";
import { WeightUnit, SizeUnit, PackageType } from "../goods/parcel.ts";
import { AddOnCode } from "../pricing/rate.ts";
import { Country, Maybe, Money, OneOf, Variants } from "../values/schema.ts";
import { ContentsType, Incoterm, Strategy } from "../shipments/shipment-enums.ts";
import type { Trigger } from "./triggers.ts";

/** The actions of a rule (decision 16): an action is an object with its name in `type` beside its fields. */

const code = (example: string) =>
  Type.String({ minLength: 1, maxLength: 100, examples: [example] });
const cap = () => Money({ minimum: 0.01, maximum: 1_000_000 });
const side = () => Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }));

const fieldsOf = {
  set_service: {
    service: Maybe(code("canada_post.expedited_parcel")),
    strategy: Maybe(Strategy),
    max_total: Maybe(cap()),
  },
  exclude_carrier: { carrier: code("ups") },
  exclude_service: { service: code("ups.standard") },
  set_package: {
    length: side(),
    width: side(),
    height: side(),
    size_unit: Maybe(SizeUnit),
    package_type: Maybe(PackageType),
  },
  add_weight: {
    weight: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
    weight_unit: WeightUnit,
  },
  add_add_on: { add_on: AddOnCode },
  set_from_address: { address: NewAddress },
  set_customs: {
    hs_code: Maybe(Type.String({ minLength: 1, maxLength: 20 })),
    country_of_origin: Maybe(Country()),
    incoterm: Maybe(Incoterm),
    contents_type: Maybe(ContentsType),
  },
  add_tag: { tag: Type.String({ minLength: 1, maxLength: 50 }) },
  remove_tag: { tag: Type.String({ minLength: 1, maxLength: 50 }) },
  set_reference: { reference: Type.String({ minLength: 1, maxLength: 50 }) },
  add_to_batch: { name: Type.String({ minLength: 1, maxLength: 100 }) },
  hold: {},
  buy_label: { max_total: cap() },
  reject: { message: Type.String({ minLength: 1, maxLength: 500 }) },
} as const;

type Fields = typeof fieldsOf;
export type ActionType = keyof Fields;
export const actionTypes = Object.keys(fieldsOf) as ActionType[];

export type ActionOf<T extends ActionType> = { type: T } & Static<TObject<Fields[T]>>;
export type Action = { [T in ActionType]: ActionOf<T> }[ActionType];

/** Whether a rule of these actions spends the account's money by itself. */
export function buysLabels(actions: readonly Action[]): boolean {
  return actions.some(({ type }) => type === "buy_label");
}

/** For the document: the effect of each. */
const says: Record<ActionType, string> = {
  set_service: "Chooses a service or a strategy, and what it may cost at most.",
  exclude_carrier: "Keeps a carrier's services out of rates and purchases.",
  exclude_service: "Keeps a service out of rates and purchases.",
  set_package: "Gives every package this size or type.",
  add_weight: "Adds a weight to every package.",
  add_add_on: "Adds an add-on.",
  set_from_address: "Replaces the ship-from address.",
  set_customs: "Sets customs data of the items and of the shipment.",
  add_tag: "Adds a tag.",
  remove_tag: "Removes a tag.",
  set_reference: "Sets the reference.",
  add_to_batch: "Adds the shipment to the open batch of that name, which is made if there is none.",
  hold: "Sets it on hold: it is not bought until the hold is removed.",
  buy_label: "Buys the label once the shipment is created, for no more than `max_total`.",
  reject: "Refuses the creation with `rejected_by_rule` and this message.",
};

/** The schema of each action's fields beside its `type`. */
export const actionFields = Object.fromEntries(
  Object.entries(fieldsOf).map(([type, fields]) => [type, Type.Object(fields)]),
) as Record<ActionType, TObject>;

const schemas: Record<string, TSchema> = Object.fromEntries(
  actionTypes.map((type) => [
    type,
    Type.Object(
      { type: OneOf([type]), ...fieldsOf[type] },
      { $id: actionName(type), description: says[type] },
    ),
  ]),
);

/** For the document: each action as it is sent and shown. */
export const ActionSchema = Type.Unsafe<Action>(Variants("type", schemas, { $id: "RuleAction" }));

/** The document's schema of one action, which has its keys in order. */
export function schemaOfAction(type: ActionType): TSchema {
  return schemas[type]!;
}

/** `SetServiceAction`. */
function actionName(type: ActionType): string {
  const words = type.split("_").map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Action`;
}

/**
 * The actions that a trigger does not allow, and why: so no rule puts a shipment into the batch that
 * triggers it.
 */
export const impossible: Partial<Record<Trigger, Partial<Record<ActionType, string>>>> = {
  "shipment.before_purchase": {
    add_to_batch: "the shipment is being bought already",
    buy_label: "the shipment is being bought already",
  },
  "batch.before_process": {
    add_to_batch: "the shipment is in a batch already",
    buy_label: "the batch buys it already",
  },
};

/** The actions that cannot be combined in one rule, and why. */
export const conflicts: readonly [ActionType, ActionType, string][] = [
  ["buy_label", "hold", "what is held is not bought"],
  ["buy_label", "add_to_batch", "a batch buys its shipments itself"],
];
