import { DataOf, send, type Routes } from "../../http/routes.ts";
import { combineDocuments } from "./combine-documents.ts";
import { CombineDocuments, CombinedDocuments } from "./schemas.ts";

/** `/documents`. */
export const documentRoutes: Routes = async (app) => {
  app.post(
    "/documents/combine",
    {
      config: {
        scopes: ["shipments:read"],
        examples: {
          "The label of a shipment": { shipment_ids: ["shp_01k6x3v2m4f8r9t0a1b2c3d4e5"] },
        },
      },
      schema: {
        operationId: "combineDocuments",
        summary: "Combine documents of shipments into one file",
        description:
          "Labels of one kind of printer: the first decides whether the file is ZPL or PDF. It has 5,000 pages at most. The link is good for half an hour, and while none of the shipments is voided.",
        tags: ["Documents"],
        body: CombineDocuments,
        response: { 201: DataOf(CombinedDocuments) },
      },
    },
    async (request, reply) => combineDocuments(request.ctx, request.body).then(send(reply)),
  );
};
