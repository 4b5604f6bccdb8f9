import { Type } from "typebox";
import { notFound } from "../../domain/errors/errors.ts";
import { fromCents } from "../../domain/values/money.ts";
import { readBalance } from "../../ledger/ledger.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { Balance, NewTopUp, PaymentMethod, TopUp, Transaction } from "./schemas.ts";
import { readFilters, TransactionFilterQuery } from "./list-transactions.ts";
import { showRecharge } from "./recharge/show-recharge.ts";
import * as store from "./store.ts";
import { topUpCredits } from "./top-up.ts";

const tags = ["Credits"];

/** `/credits` (spec 4.6, decision 12). */
export const creditRoutes: Routes = async (app) => {
  app.post(
    "/credits/top-up",
    {
      config: {
        creates: "/credits/transactions/{id}",
        creates_with_status: "succeeded",
        scopes: ["credits:write"],
        limit: "top_up",
        validation: "in_verb",
        errors: ["not_found", "payment_failed", "payment_provider_error"],
        examples: {
          "With the default card": { amount: 250 },
          "With a card of one's choice": { amount: 99.5, payment_method_id: "pm_card_visa" },
        },
      },
      schema: {
        operationId: "topUpCredits",
        summary: "Buy credit with a card",
        description: "Without an Idempotency-Key a retry charges twice.",
        tags,
        body: NewTopUp,
        response: { 201: DataOf(TopUp) },
      },
    },
    async (request, reply) => topUpCredits(request.ctx, request.body).then(send(reply)),
  );

  app.get(
    "/credits/balance",
    {
      config: { scopes: ["credits:read"] },
      schema: {
        operationId: "getBalance",
        summary: "Read the balance",
        tags,
        response: { 200: DataOf(Balance) },
      },
    },
    async ({ ctx: { db, account } }) => {
      const balance = await readBalance(db, account.account_id);
      return {
        data: {
          balance: fromCents(balance.balance_cents),
          available: fromCents(balance.available_cents),
          held: fromCents(balance.held_cents),
          pending_refunds: fromCents(await store.sumPendingRefunds(db, account.account_id)),
          currency: balance.currency,
          low_balance_threshold: account.settings.low_balance_threshold,
          auto_recharge: await showRecharge(db, account),
          updated_at: balance.updated_at.toISOString(),
        },
      };
    },
  );

  app.get(
    "/credits/transactions",
    {
      config: { scopes: ["credits:read"] },
      schema: {
        operationId: "listTransactions",
        summary: "List what moved the balance, newest first",
        tags,
        querystring: Type.Object({
          ...pageQuery(Transaction),
          ...TransactionFilterQuery.properties,
        }),
        response: { 200: ListOf(Transaction) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const wanted = { account_id: account.account_id, filters: readFilters(request.query) };
      return listResponse(request, {
        rows: (page) => store.listTransactions(db, { ...wanted, page }),
        count: (most) => store.countTransactions(db, wanted, most),
        show: toTransaction,
      });
    },
  );

  app.get(
    "/credits/transactions/:transaction_id",
    {
      config: { scopes: ["credits:read"] },
      schema: {
        operationId: "getTransaction",
        summary: "Get one transaction",
        description: "A top-up that is `pending` is here once the card is known to be charged.",
        tags,
        params: Type.Object({
          transaction_id: Type.String({ description: "The transaction's id." }),
        }),
        response: { 200: DataOf(Transaction) },
      },
    },
    async ({ ctx: { db, account }, params: { transaction_id } }) => {
      const row = await store.findTransaction(db, account.account_id, transaction_id);
      if (!row) throw notFound();
      return { data: toTransaction(row) };
    },
  );

  app.get(
    "/credits/payment-methods",
    {
      config: { scopes: ["credits:read"] },
      schema: {
        operationId: "listPaymentMethods",
        summary: "List the cards that a top-up can charge",
        description: "In the order of their ids, which the card processor gives.",
        tags,
        querystring: Type.Object(pageQuery(PaymentMethod)),
        response: { 200: ListOf(PaymentMethod) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listPaymentMethods(db, account.account_id, page),
        count: () => store.countPaymentMethods(db, account.account_id),
        show: (row) => ({ ...row, created_at: row.created_at.toISOString() }),
      });
    },
  );
};

function toTransaction(row: store.TransactionRow) {
  return {
    id: row.id,
    type: row.type,
    amount: fromCents(row.amount_cents),
    subtotal: fromCents(row.subtotal_cents),
    tax: fromCents(row.tax_cents),
    currency: row.currency,
    balance_after: fromCents(row.balance_after_cents),
    description: row.description,
    shipment_id: row.shipment_id,
    created_at: row.created_at.toISOString(),
  };
}
