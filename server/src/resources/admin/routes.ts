import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { AccountSettings } from "../../domain/accounts/account-settings.ts";
import { NewAddress } from "../../domain/addresses/address.ts";
import { Currency, Maybe, Money } from "../../domain/values/schema.ts";
import { send, type Routes } from "../../http/routes.ts";
import {
  adjustBalance,
  changeAccount,
  changeSettings,
  showAccount,
  showVolume,
} from "./accounts.ts";
import { createOrganization } from "./create-organization.ts";
import { attachPaymentMethod, detachPaymentMethod, NewPaymentMethod } from "./payment-methods.ts";
import { accountsOf } from "./find-store.ts";
import { summarizeReviews } from "./reviews.ts";
import * as store from "./store.ts";

/**
 * The operator's API under `/api/admin` (decision 24): its own tokens, no account of its own. It has the same
 * envelopes and errors as the rest.
 */
export const adminRoutes =
  (platform: Platform): Routes =>
  async (app) => {
    const params = Type.Object({ account_id: Type.String() });

    app.post(
      "/organizations",
      {
        config: { secret_answer: true },
        schema: {
          body: Type.Object({
            name: Type.String({ minLength: 1, maxLength: 100 }),
            owner_email: Type.String({ format: "email", maxLength: 200 }),
            currency: Maybe(Currency(), {
              description: "Of both accounts, permanently; CAD when absent.",
            }),
          }),
        },
      },
      async ({ body, ctx }, reply) => createOrganization(ctx, body).then(send(reply)),
    );

    app.get("/organizations", async () => {
      const organizations = await store.listOrganizations(platform.db);
      const accounts = await accountsOf(
        platform.db,
        organizations.map(({ id }) => id),
      );
      const data = organizations.map((each) => ({
        ...each,
        accounts: accounts.get(each.id) ?? [],
      }));
      return { data };
    });

    app.get("/accounts/:account_id", { schema: { params } }, async (request) => ({
      data: await showAccount(platform, request.params.account_id),
    }));

    app.get("/accounts/:account_id/volume", { schema: { params } }, async (request) => ({
      data: await showVolume(request.ctx, request.params.account_id),
    }));

    app.patch(
      "/accounts/:account_id",
      {
        schema: {
          params,
          body: Type.Object(
            {
              default_from_address: Maybe(NewAddress),
              suspended: Type.Optional(Type.Boolean()),
              time_zone: Type.Optional(Type.String({ maxLength: 100 })),
            },
            { additionalProperties: false, minProperties: 1 },
          ),
        },
      },
      async (request) => ({
        data: await changeAccount(request.ctx, request.params.account_id, request.body),
      }),
    );

    app.patch(
      "/accounts/:account_id/settings",
      {
        schema: {
          params,
          body: Type.Partial(AccountSettings, { additionalProperties: false, minProperties: 1 }),
        },
      },
      async (request) => ({
        data: await changeSettings(request.ctx, request.params.account_id, request.body),
      }),
    );

    app.post(
      "/accounts/:account_id/adjustments",
      {
        config: { key: "required" },
        schema: {
          params,
          body: Type.Object({
            amount: Money({ minimum: -1_000_000, maximum: 1_000_000, not: { const: 0 } }),
            description: Type.String({ minLength: 1, maxLength: 200 }),
          }),
        },
      },
      async (request, reply) => {
        const { account_id } = request.params;
        return adjustBalance(request.ctx, account_id, request.body).then(send(reply));
      },
    );

    app.post(
      "/accounts/:account_id/payment-methods",
      { schema: { params, body: NewPaymentMethod } },
      async (request, reply) => {
        const { account_id } = request.params;
        const data = await attachPaymentMethod(request.ctx, account_id, request.body);
        return reply.status(201).send({ data });
      },
    );

    app.delete(
      "/accounts/:account_id/payment-methods/:payment_method_id",
      {
        schema: {
          params: Type.Object({ account_id: Type.String(), payment_method_id: Type.String() }),
        },
      },
      async (request, reply) => {
        const { account_id, payment_method_id } = request.params;
        await detachPaymentMethod(request.ctx, account_id, payment_method_id);
        return reply.status(204).send();
      },
    );

    app.get("/accounts/:account_id/audit-log", { schema: { params } }, async (request) => {
      await store.getAccount(platform.db, request.params.account_id);
      return { data: await store.listAudit(platform.db, request.params.account_id) };
    });

    app.get("/health", async () => ({
      data: {
        processes: await store.listProcesses(platform.db),
        open_attempts: await store.countOpenAttempts(platform.db),
        reviews: await summarizeReviews(platform),
        open_circuits: platform.open_circuits(),
      },
    }));
  };
