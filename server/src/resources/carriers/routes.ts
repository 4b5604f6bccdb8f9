import type { Routes } from "../../http/routes.ts";
import { listCarriers } from "./list-carriers.ts";
import { Carriers } from "./schemas.ts";

/** `/carriers`: the catalogue, as the account is offered it. */
export const carrierRoutes: Routes = async (app) => {
  app.get(
    "/carriers",
    {
      config: { scopes: [] },
      schema: {
        operationId: "listCarriers",
        summary: "List carriers and their services",
        description:
          "All of them, in one answer without pages. `health` is what this process has found out; `connection_fields` are what `POST /carrier-connections` takes for the carrier.",
        tags: ["Carriers"],
        response: { 200: Carriers },
      },
    },
    async ({ ctx }) => ({ data: await listCarriers(ctx) }),
  );
};
