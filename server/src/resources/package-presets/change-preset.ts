import type { Context } from "../../context.ts";
import { inTransaction, isUniqueViolation } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { newId } from "../../domain/values/ids.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import {
  NewPackagePreset,
  PackagePreset,
  StrictPackagePresetChanges,
  type PackagePresetChanges,
} from "./schemas.ts";
import * as store from "./store.ts";
import { toPreset } from "./view.ts";

/** The most that an account has: people choose from a list. */
const presetsMax = 200;

/** Saves a preset. Throws 422, and 409 `conflict` for a name that is taken, or for one too many. */
export async function createPreset(ctx: Context, body: unknown): Promise<StoredResponse> {
  const problems = problemsOf(NewPackagePreset, body);
  const now = ctx.clock.now();
  const { account_id } = ctx.account;
  const unsaid = { length: null, width: null, height: null, size_unit: null };
  const row = changed(
    {
      account_id,
      id: newId("pst", now),
      name: "",
      ...unsaid,
      weight: null,
      weight_unit: null,
      package_type: "parcel",
      created_at: now,
      updated_at: now,
    },
    body,
    problems,
  );
  return orNameTaken(ctx, row.name, async (tx) => {
    if ((await store.countPresets(tx, account_id)) >= presetsMax) throw tooMany();
    await store.putPreset(tx, row);
    return recordResponse(tx, ctx, {
      answer: answer(201, PackagePreset, toPreset(row)),
      subject_id: row.id,
    });
  });
}

/** Changes the fields that the body names; null clears one. Throws 404, 422, 409 for a taken name. */
export async function updatePreset(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const known = await store.getPreset(ctx.db, account_id, id);
  const { name = known.name } = (body ?? {}) as PackagePresetChanges;
  return orNameTaken(ctx, name, async (tx) => {
    const before = await store.lockPreset(tx, account_id, id);
    const row = {
      ...changed(before, body, problemsOf(StrictPackagePresetChanges, body)),
      updated_at: ctx.clock.now(),
    };
    await store.putPreset(tx, row);
    return recordResponse(tx, ctx, {
      answer: answer(200, PackagePreset, toPreset(row)),
      subject_id: id,
    });
  });
}

/** Throws 404. */
export async function deletePreset(ctx: Context, id: string): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    await store.deletePreset(tx, ctx.account.account_id, id);
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}

/** The preset with the fields of the body over it. Throws 422 for problems of the shape, and of the whole. */
function changed(before: store.PresetRow, body: unknown, problems: Problems): store.PresetRow {
  // What is no object has no fields to look at.
  if (typeof body !== "object" || body === null || Array.isArray(body)) throwIfAny(problems);
  const fields = (body ?? {}) as PackagePresetChanges;
  const given = (name: keyof PackagePresetChanges) => name in fields && !(name in problems);
  if (given("name") && cleanText(fields.name ?? "") === null)
    addProblem(problems, "name", "must not be blank.");
  const of = <Name extends keyof PackagePresetChanges & keyof store.PresetRow>(name: Name) =>
    (name in fields ? (fields[name] ?? null) : before[name]) as store.PresetRow[Name];
  const row: store.PresetRow = {
    ...before,
    name: typeof fields.name === "string" ? (cleanText(fields.name) ?? "") : before.name,
    length: of("length"),
    width: of("width"),
    height: of("height"),
    size_unit: of("size_unit"),
    weight: of("weight"),
    weight_unit: of("weight_unit"),
    package_type: of("package_type") ?? "parcel",
  };
  const sides = [row.length, row.width, row.height];
  if (sides.some((side) => side !== null) && sides.includes(null))
    for (const side of ["length", "width", "height"] as const)
      if (row[side] === null)
        addProblem(problems, side, "is required when the package has any side.");
  if (sides.some((side) => side !== null) && row.size_unit === null)
    addProblem(problems, "size_unit", "is required with the sides.");
  if (row.weight !== null && row.weight_unit === null)
    addProblem(problems, "weight_unit", "is required with weight.");
  throwIfAny(problems);
  return row;
}

async function orNameTaken(
  ctx: Context,
  name: string,
  work: (tx: Tx) => Promise<StoredResponse>,
): Promise<StoredResponse> {
  try {
    return await inTransaction(ctx.db, work);
  } catch (error) {
    if (!isUniqueViolation(error, "package_presets_name")) throw error;
    const message = `Another preset is named ${name}.`;
    throw new ApiError("conflict", { message, details: { name } });
  }
}

function tooMany(): ApiError {
  return new ApiError("conflict", {
    message: `The account has ${presetsMax} presets, which is the most; delete one first.`,
    details: { presets_max: presetsMax },
  });
}
