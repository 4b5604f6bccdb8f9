import { isDeepStrictEqual } from "node:util";
import type { Context, Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { json, type Tx } from "../../database/tables.ts";
import { platformAccountId } from "../../domain/accounts/connection-status.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { newId } from "../../domain/values/ids.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { sealSecrets } from "../../shipping/connections/sealed-secrets.ts";
import type { ConnectionRow } from "../../shipping/connections/store.ts";
import { fieldProblems, hintOf, problemsOfNew } from "./read-connection.ts";
import { Connection, ConnectionChanges, type NewConnection } from "./schemas.ts";
import * as store from "./store.ts";
import { toConnectionView } from "./view.ts";

/** Changes of connections, by an operator for the platform or by an account for itself. */

/** Whose connections a request is about: `platform`, or an account. */
export type Owner = string;

const connectionsMax = 100;

/** The line of the audit log: of the platform's connections among the operators', who have no operationId. */
export function auditOf(owner: Owner, subject_id: string, action: string) {
  if (owner !== platformAccountId) return { subject_id };
  return { account_id: operatorsAccountId, subject_id, action: `carrier_connection.${action}` };
}

/** Creates a connection, sealed. Throws 422 with every failing field, and 409 `conflict` for one too many. */
export async function createConnection(
  ctx: Context,
  owner: Owner,
  body: unknown,
): Promise<StoredResponse> {
  const problems = problemsOfNew(ctx, body);
  const given = (body ?? {}) as NewConnection;
  const isPlatform = owner === platformAccountId;
  if (isPlatform && given.environment == null) addProblem(problems, "environment", "is required.");
  const own = ctx.account.environment;
  if (!isPlatform && given.environment != null && given.environment !== own)
    addProblem(problems, "environment", `must be ${own}, the account's own.`);
  throwIfAny(problems);
  const environment = given.environment ?? own;
  const response = await inTransaction(ctx.db, async (tx) => {
    await store.lockOwner(tx, owner);
    const row = await addConnection(tx, ctx, { ...given, owner, environment });
    return recordResponse(tx, ctx, {
      answer: answer(201, Connection, toConnectionView(row)),
      ...auditOf(owner, row.id, "created"),
      details: toldOf(row),
    });
  });
  ctx.connections.forget();
  return response;
}

/**
 * The platform's connection with a carrier in one environment, unless it has any there. True where it was added, which is
 * in the audit log by `by`.
 */
export async function addMissingConnection(
  platform: Platform,
  given: Added,
  by: Origin,
): Promise<boolean> {
  const { carrier, environment } = given;
  const owner = platformAccountId;
  const isAdded = await inTransaction(platform.db, async (tx) => {
    await store.lockOwner(tx, owner);
    const filters = { account_id: owner, carrier, environment };
    if ((await store.countConnections(tx, filters, 1)) > 0) return false;
    const row = await addConnection(tx, platform, { ...given, owner });
    await recordAudit(tx, {
      account_id: operatorsAccountId,
      subject_id: row.id,
      action: "carrier_connection.created",
      details: toldOf(row),
      by,
    });
    return true;
  });
  if (isAdded) platform.connections.forget();
  return isAdded;
}

type Added = NewConnection & { environment: ConnectionRow["environment"] };

/** Under the owner's lock; throws 409 `conflict` for one too many. */
async function addConnection(
  tx: Tx,
  { carriers, clock, sealer }: Pick<Platform, "carriers" | "clock" | "sealer">,
  { owner, ...given }: Added & { owner: Owner },
): Promise<ConnectionRow> {
  const { carrier, environment, name, values, secrets, unheard_policy, budgets } = given;
  const now = clock.now();
  const key = { account_id: owner, id: newId("con", now), carrier, environment };
  const is_default = await becomesDefault(tx, { ...key, wanted: given.is_default ?? false });
  await store.insertConnection(tx, {
    ...key,
    name,
    plain_values: json(values ?? {}),
    sealed_secrets: sealSecrets(sealer, key, secrets),
    secret_hint: hintOf({ carriers }, carrier, secrets),
    status: "untested",
    is_default,
    unheard_policy: unheard_policy ?? "hold",
    budgets: budgets ? json(budgets) : null,
    version: 1,
    created_at: now,
    updated_at: now,
  });
  return store.getConnection(tx, key);
}

function toldOf({ carrier, environment, name, is_default }: ConnectionRow) {
  return { carrier, environment, name, is_default };
}

/** Whether the new one is the default; then no other is any more. */
async function becomesDefault(
  tx: Tx,
  {
    wanted,
    ...key
  }: Pick<ConnectionRow, "account_id" | "carrier" | "environment"> & { wanted: boolean },
): Promise<boolean> {
  const { account_id, carrier, environment } = key;
  if ((await store.countConnections(tx, { account_id }, connectionsMax)) >= connectionsMax)
    throw new ApiError("conflict", {
      message: `There are ${connectionsMax} connections, which is the most; delete one first.`,
      details: { connections_max: connectionsMax },
    });
  const present = { account_id, carrier, environment, is_default: true } as const;
  if ((await store.countConnections(tx, present, 1)) === 0) return true;
  if (wanted) await store.clearDefault(tx, key);
  return wanted;
}

/** Changes what is given. New `values` make it untested. Throws 404 and 422. */
export async function updateConnection(
  ctx: Context,
  key: { account_id: Owner; id: string },
  body: unknown,
): Promise<StoredResponse> {
  throwIfAny(problemsOf(ConnectionChanges, body));
  const changes = body as ConnectionChanges;
  const { name, unheard_policy, budgets, is_default } = changes;
  const response = await inTransaction(ctx.db, async (tx) => {
    await store.lockOwner(tx, key.account_id);
    const row = await store.lockConnection(tx, key);
    // Those that were read and sent back are no new ones, which would have to be tested.
    const values = isDeepStrictEqual(changes.values, row.plain_values) ? undefined : changes.values;
    const problems = values ? fieldProblems(ctx, { ...row, field: "values", given: values }) : {};
    addDefaultProblem(problems, row, changes);
    addStatusProblem(problems, row, changes);
    throwIfAny(problems);
    if (is_default) await store.clearDefault(tx, row);
    await store.changeConnection(tx, key, {
      ...(name === undefined ? {} : { name }),
      ...(unheard_policy === undefined ? {} : { unheard_policy }),
      ...(budgets === undefined ? {} : { budgets: budgets && json(budgets) }),
      ...(is_default === undefined ? {} : { is_default }),
      ...(values === undefined
        ? {}
        : { plain_values: json(values), version: row.version + 1, status: untestedUnlessOff(row) }),
      ...switched(row, changes),
      updated_at: ctx.clock.now(),
    });
    const after = await store.getConnection(tx, key);
    return recordResponse(tx, ctx, {
      answer: answer(200, Connection, toConnectionView(after)),
      ...auditOf(key.account_id, row.id, "changed"),
      details: { fields: Object.keys(changes) },
    });
  });
  ctx.connections.forget();
  return response;
}

/** Without a default an account's parcels would be billed by the platform, unasked. */
function addDefaultProblem(
  problems: Problems,
  row: ConnectionRow,
  { is_default }: ConnectionChanges,
): void {
  if (is_default === false && row.is_default)
    addProblem(problems, "is_default", "is given up by making another connection the default.");
}

/** Clients send back what they read; what only tests and rotations set, no call does. */
function addStatusProblem(
  problems: Problems,
  row: ConnectionRow,
  { status }: ConnectionChanges,
): void {
  if (status === undefined || status === row.status) return;
  if (status !== "active" && status !== "disabled")
    addProblem(problems, "status", "must be active or disabled, or the one that it has.");
}

/** What is on already is not switched on: a test or a rotation ends `untested` and `failing`. */
function switched(
  row: ConnectionRow,
  { status }: ConnectionChanges,
): Pick<ConnectionRow, "status"> | object {
  const isOn = row.status !== "disabled";
  const isChanged = status !== row.status && !(status === "active" && isOn);
  return status === undefined || !isChanged ? {} : { status };
}

function untestedUnlessOff({ status }: ConnectionRow): ConnectionRow["status"] {
  return status === "disabled" ? "disabled" : "untested";
}

/** Deletes it; the default passes to the oldest that is left. Throws 404, and 409 `conflict` while something bought on it has no end yet. */
export async function deleteConnection(
  ctx: Context,
  key: { account_id: Owner; id: string },
): Promise<StoredResponse> {
  const response = await inTransaction(ctx.db, async (tx) => {
    await store.lockOwner(tx, key.account_id);
    const row = await store.lockConnection(tx, key);
    const open = await store.countOpen(tx, key);
    if (Object.values(open).some((count) => count > 0))
      throw new ApiError("conflict", {
        message:
          "Purchases, voids, refunds, label files or pickups on this connection are not over yet; disable it until they are.",
        details: { ...open },
      });
    await store.deleteConnection(tx, key);
    const next_default = row.is_default ? await store.chooseDefault(tx, row) : null;
    const { carrier, environment, name } = row;
    const details = { carrier, environment, name, ...(next_default ? { next_default } : {}) };
    return recordResponse(tx, ctx, {
      answer: noContent(),
      ...auditOf(key.account_id, row.id, "deleted"),
      details,
    });
  });
  ctx.connections.forget();
  return response;
}
