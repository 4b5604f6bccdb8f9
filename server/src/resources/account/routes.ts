import { DataOf, send, type Routes } from "../../http/routes.ts";
import { changeOwnAccount } from "./change-account.ts";
import { AccountChanges, OwnAccount } from "./schemas.ts";
import { showAccount } from "./show-account.ts";

const tags = ["Account"];

/** `/account`: the caller's own account, its settings and preferences. */
export const accountRoutes: Routes = async (app) => {
  app.get(
    "/account",
    {
      config: { scopes: [] },
      schema: {
        operationId: "getAccount",
        summary: "Read the account that this call's token is of",
        tags,
        response: { 200: DataOf(OwnAccount) },
      },
    },
    async ({ ctx: { db, account } }) => ({ data: await showAccount(db, account.account_id) }),
  );

  app.put(
    "/account",
    {
      config: {
        scopes: ["account:write"],
        verb_scopes: ["credits:write"],
        validation: "in_verb",
        examples: {
          "Labels for a thermal printer": { preferences: { label_format: "zpl" } },
          "A card that is charged when the balance falls below 50": {
            preferences: { auto_recharge: { threshold: 50, amount: 200, payment_method_id: null } },
          },
          "Without one service": { disabled_services: ["ups.standard"] },
          "A name and a zone": { name: "Maple & Pine Goods", time_zone: "America/Vancouver" },
        },
      },
      schema: {
        operationId: "updateAccount",
        summary: "Change the account's settings and preferences",
        description:
          "Fields that are left out stay. What `GET /account` shows and this call does not change may be sent back as it is; other unknown fields are 422. Preferences fill in what later shipments leave out; stored ones do not change. A service that is disabled and bought all the same is 422 `unserviceable` with the reason `service_disabled`. A change of `auto_recharge` also needs `credits:write`.",
        tags,
        body: AccountChanges,
        response: { 200: DataOf(OwnAccount) },
      },
    },
    async (request, reply) => changeOwnAccount(request.ctx, request.body).then(send(reply)),
  );
};
