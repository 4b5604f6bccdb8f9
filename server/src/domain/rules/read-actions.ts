import type { NewAddress } from "../addresses/address.ts";
import { addressProblems, normaliseAddress } from "../addresses/address-rules.ts";
import { addProblem, type Problems } from "../errors/errors.ts";
import { isCountryCode } from "../postal/countries.ts";
import { addAll, bareHsCode } from "../shipments/shipment-rules.ts";
import { cleanText } from "../text/text.ts";
import { problemsOf } from "../validation/validation.ts";
import {
  actionFields,
  actionTypes,
  conflicts,
  impossible,
  type Action,
  type ActionOf,
  type ActionType,
} from "./actions.ts";
import type { Trigger } from "./triggers.ts";

export const actionsMax = 20;

/** The names that an action can refer to. */
export interface Catalogue {
  hasCarrier(code: string): boolean;
  hasService(code: string): boolean;
}

interface ActionOptions {
  catalogue: Catalogue;
  /** Null while that is invalid itself. */
  trigger: Trigger | null;
  /** Whether unknown fields are problems, as in a PUT that replaces all (decision 1). */
  strict: boolean;
}

/**
 * Validates a rule's actions (decision 16) and returns them cleaned, without unknown fields;
 * `problems` names every failing part, such as `actions.3.service`. The value must have passed
 * `problemsOf` before, which refuses what is nested too deep and texts that cannot be stored.
 */
export function readActions(problems: Problems, value: unknown, terms: ActionOptions): Action[] {
  if (!Array.isArray(value)) {
    const sentence = value === undefined ? "is required." : "must be a list.";
    addProblem(problems, "actions", sentence);
    return [];
  }
  if (value.length === 0) addProblem(problems, "actions", "must have at least one entry.");
  if (value.length > actionsMax) {
    addProblem(problems, "actions", `must have at most ${actionsMax} entries.`);
    return [];
  }
  const actions = value.map((each, index) => readAction(problems, each, { ...terms, index }));
  addConflicts(problems, actions);
  return actions.filter((each) => each !== null);
}

type Place = ActionOptions & { index: number };

function readAction(problems: Problems, given: unknown, place: Place): Action | null {
  const path = `actions.${place.index}`;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    addProblem(problems, path, "must be an object.");
    return null;
  }
  const { type: named, ...fields } = given as Record<string, unknown>;
  const type = actionTypes.find((each) => each === named);
  if (!type) {
    const sentence = named === undefined ? "is required." : oneOfThem;
    addProblem(problems, `${path}.type`, sentence);
    return null;
  }
  const why = place.trigger && impossible[place.trigger]?.[type];
  if (why) addProblem(problems, `${path}.type`, `does not go with ${place.trigger}: ${why}.`);
  if (place.strict) refuseUnknown(problems, fields, { path, type });
  const found = problemsOf(actionFields[type], fields);
  addAll(problems, path, found);
  const action = { type, ...knownFields(type, fields) } as Action;
  const isShaped = Object.keys(found).length === 0;
  if (isShaped) addAll(problems, path, problemsIn(action, place.catalogue));
  return isShaped ? cleaned(action) : action;
}

const oneOfThem = `must be one of ${actionTypes.join(", ")}.`;

function refuseUnknown(
  problems: Problems,
  fields: Record<string, unknown>,
  { path, type }: { path: string; type: ActionType },
): void {
  // A list that is far too long is not worth reporting in full.
  for (const field of Object.keys(fields).slice(0, 100))
    if (!Object.hasOwn(actionFields[type].properties, field))
      addProblem(problems, `${path}.${field}`, "is not a field of this action.");
}

/** The fields that the action knows; null counts as absent. */
function knownFields(type: ActionType, fields: Record<string, unknown>): Record<string, unknown> {
  const known = Object.keys(actionFields[type].properties).filter((field) => fields[field] != null);
  return Object.fromEntries(known.map((field) => [field, fields[field]]));
}

/** The problems of an action's own fields that no schema can express. */
function problemsIn(action: Action, catalogue: Catalogue): Problems {
  const problems: Problems = {};
  const validate = validators[action.type] as
    ((given: GivenAction<ActionType>) => void) | undefined;
  validate?.({ problems, action: action, catalogue });
  for (const field of ["tag", "reference", "name", "message"] as const) {
    const text = (action as Partial<Record<typeof field, string>>)[field];
    if (text !== undefined && cleanText(text) === null)
      addProblem(problems, field, "must not be blank.");
  }
  return problems;
}

interface GivenAction<T extends ActionType> {
  problems: Problems;
  action: ActionOf<T>;
  catalogue: Catalogue;
}

const validators: { [T in ActionType]?: (given: GivenAction<T>) => void } = {
  set_service({ problems, action: { service, strategy }, catalogue }) {
    if (service && strategy) addProblem(problems, "strategy", "must not be combined with service.");
    if (!service && !strategy) addProblem(problems, "service", "or strategy is required.");
    if (service) validateService(problems, service, catalogue);
  },
  exclude_service({ problems, action: { service }, catalogue }) {
    validateService(problems, service, catalogue);
  },
  exclude_carrier({ problems, action: { carrier }, catalogue }) {
    if (!catalogue.hasCarrier(carrier))
      addProblem(problems, "carrier", `${JSON.stringify(carrier)} is no carrier of ours.`);
  },
  set_package({ problems, action }) {
    const { length, width, height, size_unit, package_type } = action;
    const sides = { length, width, height, size_unit };
    const missing = Object.entries(sides).filter(([, value]) => value == null);
    if (missing.length === 4) {
      if (!package_type)
        addProblem(problems, "package_type", "or length, width, height and size_unit is required.");
      return;
    }
    for (const [side] of missing)
      addProblem(problems, side, "is required: sides and their unit are given all together.");
  },
  set_from_address({ problems, action: { address } }) {
    addAll(problems, "address", addressProblems(address));
  },
  set_customs({ problems, action }) {
    const { hs_code, country_of_origin, incoterm, contents_type } = action;
    if (!hs_code && !country_of_origin && !incoterm && !contents_type)
      addProblem(problems, "hs_code", "or another field of the customs is required.");
    if (hs_code && !/^\d{6,10}$/.test(bareHsCode(hs_code)))
      addProblem(problems, "hs_code", "must be 6 to 10 digits; dots and spaces do not count.");
    if (country_of_origin && !isCountryCode(country_of_origin.toUpperCase()))
      addProblem(problems, "country_of_origin", "must be an ISO 3166-1 alpha-2 country code.");
  },
};

function validateService(problems: Problems, service: string, catalogue: Catalogue): void {
  if (!catalogue.hasService(service))
    addProblem(problems, "service", `${JSON.stringify(service)} is no service of ours.`);
}

/** An action as it is stored: codes and texts in the form in which shipments have them. */
function cleaned(action: Action): Action {
  if (action.type === "add_to_batch") return { ...action, name: cleanText(action.name) ?? "" };
  if (action.type === "set_from_address")
    return { ...action, address: normaliseAddress(action.address) as NewAddress };
  if (action.type !== "set_customs") return action;
  const { hs_code, country_of_origin } = action;
  return {
    ...action,
    ...(hs_code ? { hs_code: bareHsCode(hs_code) } : {}),
    ...(country_of_origin ? { country_of_origin: country_of_origin.toUpperCase() } : {}),
  };
}

function addConflicts(problems: Problems, actions: readonly (Action | null)[]): void {
  const placeOf = (type: ActionType) => actions.findIndex((each) => each?.type === type);
  for (const [one, other, why] of conflicts) {
    if (placeOf(one) < 0 || placeOf(other) < 0) continue;
    const sentence = `cannot stand in one rule with ${other}: ${why}.`;
    addProblem(problems, `actions.${placeOf(one)}.type`, sentence);
  }
}
