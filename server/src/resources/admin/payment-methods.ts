import { Type, type Static } from "typebox";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { Maybe } from "../../domain/values/schema.ts";
import { recordChange } from "../../http/record-change.ts";
import { deletePaymentMethod, putPaymentMethod } from "../credits/service.ts";
import * as store from "./store.ts";

/**
 * The cards that an account can be charged with. The card itself is saved at the processor, by its own form
 * or dashboard; here the operator records the processor's id of it.
 */

export const NewPaymentMethod = Type.Object({
  id: Type.String({ pattern: "^[A-Za-z]+_[A-Za-z0-9_]+$", maxLength: 100 }),
  customer: Maybe(Type.String({ pattern: "^cus_[A-Za-z0-9_]+$", maxLength: 100 })),
  brand: Type.String({ minLength: 1, maxLength: 30 }),
  last4: Type.String({ pattern: "^[0-9]{4}$" }),
  is_default: Type.Optional(Type.Boolean()),
});
type NewPaymentMethod = Static<typeof NewPaymentMethod>;

/** Attaches a card, or changes what is known of one that is attached. As the default it replaces the default. */
export async function attachPaymentMethod(
  ctx: Context,
  account_id: string,
  { customer = null, is_default = false, ...method }: NewPaymentMethod,
) {
  return inTransaction(ctx.db, async (tx) => {
    await store.lockAccount(tx, account_id);
    const attached = await putPaymentMethod(tx, {
      account_id,
      ...method,
      is_default,
      processor_customer: customer,
    });
    await recordChange(tx, ctx, {
      account_id,
      action: "payment_method.attached",
      subject_id: method.id,
      details: { ...method, is_default, customer },
    });
    return attached;
  });
}

/** Detaches a card; charges in progress are not affected. Unknown: 404. */
export async function detachPaymentMethod(
  ctx: Context,
  account_id: string,
  id: string,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await store.lockAccount(tx, account_id);
    if (!(await deletePaymentMethod(tx, account_id, id))) throw notFound();
    await recordChange(tx, ctx, {
      account_id,
      action: "payment_method.detached",
      subject_id: id,
    });
  });
}
