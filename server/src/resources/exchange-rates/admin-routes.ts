import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { DateOnly } from "../../domain/pricing/rate.ts";
import { Currency } from "../../domain/values/schema.ts";
import { listResponse, pageParameters } from "../../http/paging.ts";
import { send, type Routes } from "../../http/routes.ts";
import { deleteRate, importRates, putRate, toExchangeRate } from "./change-rates.ts";
import { ExchangeImport, NewExchangeRate } from "./schemas.ts";
import * as store from "./store.ts";

/** `/api/admin/exchange-rates`: the rates by which amounts in other currencies are converted (decision 26). */
export const exchangeRateRoutes =
  ({ db }: Platform): Routes =>
  async (app) => {
    app.post(
      "/exchange-rates",
      { schema: { body: NewExchangeRate } },
      async ({ ctx, body }, reply) => putRate(ctx, body).then(send(reply)),
    );

    app.get(
      "/exchange-rates",
      {
        schema: {
          querystring: Type.Object({
            ...pageParameters,
            base: Type.Optional(Currency()),
            quote: Type.Optional(Currency()),
            valid_from: Type.Optional(DateOnly),
          }),
        },
      },
      async (request) => {
        const { base, quote, valid_from } = request.query;
        const filters = { base, quote, valid_from };
        return listResponse(request, {
          rows: (page) => store.listRates(db, filters, page),
          count: (most) => store.countRates(db, filters, most),
          show: toExchangeRate,
        });
      },
    );

    app.post(
      "/exchange-rates/import",
      { config: { body: "bulk", errors: ["too_many_rows"] }, schema: { body: ExchangeImport } },
      async ({ ctx, body }, reply) => importRates(ctx, body).then(send(reply)),
    );

    app.delete(
      "/exchange-rates/:exchange_rate_id",
      { schema: { params: Type.Object({ exchange_rate_id: Type.String() }) } },
      async ({ ctx, params }, reply) => {
        await deleteRate(ctx, params.exchange_rate_id);
        return reply.status(204).send();
      },
    );
  };
