import { DataOf, type Routes } from "../../http/routes.ts";
import { countEverything } from "./count.ts";
import { Counts } from "./schemas.ts";

/** `/counts`: how many there are of each status, for the tabs of lists. */
export const countRoutes: Routes = async (app) => {
  app.get(
    "/counts",
    {
      config: { scopes: ["shipments:read", "orders:read", "products:read", "batches:read"] },
      schema: {
        operationId: "getCounts",
        summary: "Count shipments, orders, products and batches by status",
        description: "Any of the scopes opens it; what the token may not read is left out.",
        tags: ["Reports"],
        response: { 200: DataOf(Counts) },
      },
    },
    async ({ ctx }) => ({ data: await countEverything(ctx) }),
  );
};
