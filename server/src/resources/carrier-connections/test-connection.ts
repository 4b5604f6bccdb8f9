import type { ConnectionTest } from "../../carriers/carrier.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { json } from "../../database/tables.ts";
import { platformAccountId } from "../../domain/accounts/connection-status.ts";
import { ApiError, invalid, throwIfAny } from "../../domain/errors/errors.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { openSecrets, sealSecrets } from "../../shipping/connections/sealed-secrets.ts";
import type { ConnectionRow } from "../../shipping/connections/store.ts";
import { auditOf, type Owner } from "./change-connection.ts";
import { fieldProblems, hintOf } from "./read-connection.ts";
import { Connection, ConnectionTestResult, SecretsRotation } from "./schemas.ts";
import * as store from "./store.ts";
import { toConnectionView } from "./view.ts";

/** Tests of a connection by one harmless call of its carrier, and the rotation of its secrets. */

type Key = { account_id: Owner; id: string };
type Secrets = Readonly<Record<string, string>>;

/**
 * Asks the carrier whether it accepts the connection. Accepted, it is `active`; refused, it is `failing`; without
 * an answer its status stays. A disabled one is tested, too, and stays disabled. Throws 404.
 */
export async function testConnection(ctx: Context, key: Key): Promise<StoredResponse> {
  const row = await store.getConnection(ctx.db, key);
  const secrets = openSecrets(ctx.sealer, row, row.sealed_secrets);
  const result = secrets ? await ask(ctx, row, secrets) : unopened;
  const response = await inTransaction(ctx.db, async (tx) => {
    const now = await store.lockConnection(tx, key);
    const at = ctx.clock.now().toISOString();
    const { ok, code, message } = result;
    // Its values or secrets were changed meanwhile: the result is of others.
    const isOf = now.version === row.version;
    const status = isOf ? statusAfter(now, result) : now.status;
    if (isOf) await store.changeConnection(tx, key, { status, last_test: json({ at, ok, code }) });
    return recordResponse(tx, ctx, {
      answer: answer(200, ConnectionTestResult, { ok, code, message, at, status }),
      ...auditOf(key.account_id, row.id, "tested"),
      details: { ok, code },
    });
  });
  ctx.connections.forget();
  return response;
}

function statusAfter(
  { status }: ConnectionRow,
  { ok, code }: ConnectionTest,
): ConnectionRow["status"] {
  if (status === "disabled") return status;
  if (ok) return "active";
  return code === "credentials_invalid" ? "failing" : status;
}

/**
 * Replaces the secrets without a stop: the carrier is asked with the new ones while the old ones are in use,
 * and only those that it accepts take their place. Throws 404; 422 at `secrets` where it refuses them; and 502
 * `carrier_error` where it does not answer. Then nothing changes.
 */
export async function rotateSecrets(
  ctx: Context,
  key: Key,
  body: unknown,
): Promise<StoredResponse> {
  throwIfAny(problemsOf(SecretsRotation, body));
  const { secrets } = body as { secrets: Secrets };
  const row = await store.getConnection(ctx.db, key);
  throwIfAny(fieldProblems(ctx, { ...row, field: "secrets", given: secrets }));
  const result = await ask(ctx, { ...row, version: row.version + 1 }, secrets);
  refuseUnaccepted(row, result);
  const response = await inTransaction(ctx.db, async (tx) => {
    const now = await store.lockConnection(tx, key);
    const at = ctx.clock.now();
    const { ok, code } = result;
    await store.changeConnection(tx, key, {
      sealed_secrets: sealSecrets(ctx.sealer, now, secrets),
      secret_hint: hintOf(ctx, now.carrier, secrets),
      version: now.version + 1,
      status: ok ? statusAfter(now, result) : now.status === "disabled" ? "disabled" : "untested",
      last_test: json({ at: at.toISOString(), ok, code }),
      updated_at: at,
    });
    const after = await store.getConnection(tx, key);
    return recordResponse(tx, ctx, {
      answer: answer(200, Connection, toConnectionView(after)),
      ...auditOf(key.account_id, row.id, "rotated"),
      details: { version: after.version },
    });
  });
  ctx.connections.forget();
  return response;
}

const untestable = "not_testable";

function refuseUnaccepted({ carrier }: ConnectionRow, { ok, code, message }: ConnectionTest): void {
  if (ok || code === untestable) return;
  if (code === "credentials_invalid")
    throw invalid({ secrets: [`are not accepted by the carrier: ${message}`] });
  throw new ApiError("carrier_error", {
    message: "The carrier could not be asked about the new secrets; the old ones stay.",
    details: { carrier, carrier_code: code, carrier_message: message, retryable: true },
  });
}

const testTimeoutMs = 10_000;

async function ask(ctx: Context, row: ConnectionRow, secrets: Secrets): Promise<ConnectionTest> {
  const carrier = ctx.carriers.get(row.carrier);
  const { name } = carrier.descriptor;
  if (!carrier.testConnection)
    return { ok: false, code: untestable, message: `${name} has no call to test a connection by.` };
  ctx.metrics.carrier_calls.inc({ carrier: row.carrier, operation: "test_connection" });
  const { id, environment, version, plain_values: values } = row;
  const origin = row.account_id === platformAccountId ? "platform" : "account";
  const connection = { id, environment, origin, version, values, secrets } as const;
  try {
    return await carrier.testConnection(connection, AbortSignal.timeout(testTimeoutMs));
  } catch (error) {
    ctx.log.warn({ carrier: row.carrier, connection_id: id, err: error }, "connection.test_failed");
    return { ok: false, code: "no_answer", message: `${name} could not be asked.` };
  }
}

/** `WAYBILL_SECRET` was changed without the previous one. */
const unopened: ConnectionTest = {
  ok: false,
  code: "secrets_unreadable",
  message: "The secrets were sealed by another WAYBILL_SECRET; give them anew.",
};
