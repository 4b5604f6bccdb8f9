import { Classification } from "../../domain/products/product.ts";
import { DataOf, send, type Routes } from "../../http/routes.ts";
import { classifyProduct } from "./classify.ts";
import { GoodsToClassify } from "./schemas.ts";

/** `/products/classify` (spec 4.7, decision 13). */
export const classifyRoutes: Routes = async (app) => {
  app.post(
    "/products/classify",
    {
      config: {
        scopes: ["products:classify"],
        limit: "carrier",
        validation: "in_verb",
        errors: ["not_found", "classifier_error"],
        examples: {
          "A T-shirt": {
            title: "Men's organic cotton T-shirt, short sleeves, crew neck",
            description: "Knitted, 100 % cotton, 180 g/m².",
            country_of_origin: "CA",
            destination_country: "US",
          },
        },
      },
      schema: {
        operationId: "classifyProduct",
        summary: "Find the customs code (HS) of goods",
        description:
          "A code is a suggestion for somebody to approve: `confidence` says how probable it is that it is right. Too little to go by is a 200 with a low confidence, and with no code at all when not one word says anything. The more the title says of the goods (what they are, of what material, for whom), the better.",
        tags: ["Products"],
        body: GoodsToClassify,
        response: { 200: DataOf(Classification) },
      },
    },
    async (request, reply) => classifyProduct(request.ctx, request.body).then(send(reply)),
  );
};
