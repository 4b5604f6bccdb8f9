import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addressProblems, normaliseAddress } from "../../domain/addresses/address-rules.ts";
import type { NewAddress } from "../../domain/addresses/address.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { newId } from "../../domain/values/ids.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { syncDefaultSender } from "../../shipping/addresses/default-sender.ts";
import * as store from "../../shipping/addresses/store.ts";
import { addressesMax, BookAddress, NewBookAddress, StrictBookAddressChanges } from "./schemas.ts";
import { toBookAddress } from "./view.ts";

/** Changes of the address book. After the commit the very next shipment has the new default sender. */

/** Adds an address. Throws 422, and 409 `conflict` for one too many. */
export async function addAddress(ctx: Context, body: unknown): Promise<StoredResponse> {
  const { label, address, uses, is_default } = readBody<NewBookAddress>(NewBookAddress, body);
  const { account_id } = ctx.account;
  const now = ctx.clock.now();
  return inBook(ctx, async (tx) => {
    refuseTooMany(await store.countAddresses(tx, account_id));
    const row: store.BookRow = {
      account_id,
      id: newId("adr", now),
      label: cleanText(label)!,
      address: normaliseAddress(address),
      uses,
      default_for: is_default ? uses : [],
      created_at: now,
      updated_at: now,
    };
    await store.putBookAddress(tx, row);
    return { status: 201, row };
  });
}

/** Changes the fields that the body names. Throws 404, 422. */
export async function changeAddress(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  await store.getBookAddress(ctx.db, account_id, id);
  const changes = readBody<StrictBookAddressChanges>(StrictBookAddressChanges, body);
  return inBook(ctx, async (tx) => {
    const before = await store.getBookAddress(tx, account_id, id);
    const { label, address, uses = before.uses } = changes;
    const is_default = wantedDefault(changes);
    const kept = before.default_for.filter((use) => uses.includes(use));
    const row: store.BookRow = {
      ...before,
      ...(label === undefined ? {} : { label: cleanText(label)! }),
      ...(address === undefined ? {} : { address: normaliseAddress(address) }),
      uses,
      default_for: is_default === undefined ? kept : is_default ? uses : [],
      updated_at: ctx.clock.now(),
    };
    await store.putBookAddress(tx, row);
    return { status: 200, row };
  });
}

/**
 * Whether it shall be the default of all its uses; absent: of those that it is the default of. An address shows `is_default`
 * for any use, and `default_for` beside it: both sent back as they were read say nothing new.
 */
function wantedDefault({ is_default, default_for }: StrictBookAddressChanges): boolean | undefined {
  const isAsRead = Array.isArray(default_for) && is_default === default_for.length > 0;
  return isAsRead ? undefined : is_default;
}

/** Takes an address out of the book; shipments that were made with it keep theirs. Throws 404. */
export async function deleteAddress(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const done = await inTransaction(ctx.db, async (tx) => {
    await store.lockBook(tx, account_id);
    await store.deleteBookAddress(tx, account_id, id);
    await syncDefaultSender(tx, account_id);
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
  ctx.callers.forget();
  return done;
}

async function inBook(
  ctx: Context,
  change: (
    tx: Parameters<typeof syncDefaultSender>[0],
  ) => Promise<{ status: number; row: store.BookRow }>,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const done = await inTransaction(ctx.db, async (tx) => {
    await store.lockBook(tx, account_id);
    const { status, row } = await change(tx);
    await syncDefaultSender(tx, account_id);
    return recordResponse(tx, ctx, {
      answer: answer(status, BookAddress, toBookAddress(row)),
      subject_id: row.id,
    });
  });
  ctx.callers.forget();
  return done;
}

function readBody<Body extends { label?: string; address?: NewAddress }>(
  schema: object,
  body: unknown,
): Body {
  const problems: Problems = problemsOf(schema, body);
  const { label, address } = (body ?? {}) as { label?: unknown; address?: unknown };
  if (typeof label === "string" && !problems["label"] && cleanText(label) === null)
    addProblem(problems, "label", "must not be blank.");
  const isShaped = !Object.keys(problems).some((path) => path.startsWith("address"));
  if (isShaped && typeof address === "object" && address !== null)
    for (const [path, texts] of Object.entries(addressProblems(address as NewAddress)))
      for (const text of texts) addProblem(problems, `address.${path}`, text);
  throwIfAny(problems);
  return body as Body;
}

function refuseTooMany(count: number): void {
  if (count < addressesMax) return;
  throw new ApiError("conflict", {
    message: `The address book has ${addressesMax} addresses, which is the most; delete one first.`,
    details: { addresses_max: addressesMax },
  });
}
