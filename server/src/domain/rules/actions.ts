import { Type, type Static, type TObject } from "typebox";
import { NewAddress } from "../address.ts";
import { packageTypes, sizeUnits, weightUnits } from "../parcel.ts";
import { addOnCodes } from "../rate.ts";
import { Country, Maybe, Money, OneOf } from "../schema.ts";
import { contentsTypes, incoterms, strategies } from "../shipment-words.ts";
import type { Trigger } from "./triggers.ts";

/** What a rule can do (decision 16): an action is an object with its name in `type` beside its fields. */

const code = (example: string) =>
  Type.String({ minLength: 1, maxLength: 100, examples: [example] });
const cap = () => Money({ minimum: 0.01, maximum: 1_000_000 });
const side = () => Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }));

const fieldsOf = {
  set_service: {
    service: Maybe(code("canada_post.expedited_parcel")),
    strategy: Maybe(OneOf(strategies)),
    max_total: Maybe(cap()),
  },
  exclude_carrier: { carrier: code("ups") },
  exclude_service: { service: code("ups.standard") },
  set_package: {
    length: side(),
    width: side(),
    height: side(),
    size_unit: Maybe(OneOf(sizeUnits)),
    package_type: Maybe(OneOf(packageTypes)),
  },
  add_weight: {
    weight: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
    weight_unit: OneOf(weightUnits),
  },
  add_add_on: { add_on: OneOf(addOnCodes) },
  set_from_address: { address: NewAddress },
  set_customs: {
    hs_code: Maybe(Type.String({ minLength: 1, maxLength: 20 })),
    country_of_origin: Maybe(Country()),
    incoterm: Maybe(OneOf(incoterms)),
    contents_type: Maybe(OneOf(contentsTypes)),
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

/** The schema of each action's fields beside its `type`. */
export const actionFields = Object.fromEntries(
  Object.entries(fieldsOf).map(([type, fields]) => [type, Type.Object(fields)]),
) as Record<ActionType, TObject>;

/** For the document: each action as it is sent and shown. */
export const ActionSchema = Type.Unsafe<Action>({
  anyOf: actionTypes.map((type) =>
    Type.Object({ type: OneOf([type]), ...fieldsOf[type] }, { title: type }),
  ),
});

/** What a rule cannot do at a moment, and why: so no rule puts a shipment into the batch that asks it. */
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

/** What cannot stand together in one rule, and why. */
export const conflicts: readonly [ActionType, ActionType, string][] = [
  ["buy_label", "hold", "what is held is not bought"],
  ["buy_label", "add_to_batch", "a batch buys its shipments itself"],
];
