import { Type } from "typebox";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { createManifest } from "./create-manifest.ts";
import { Manifest, NewManifest } from "./schemas.ts";
import { showManifest } from "./show-manifest.ts";
import * as store from "./store.ts";
import { toManifest } from "./view.ts";

const tags = ["Manifests"];
const params = Type.Object({ manifest_id: Type.String({ description: "The manifest's id." }) });

/** `/manifests` (decision 27). */
export const manifestRoutes: Routes = async (app) => {
  app.get(
    "/manifests",
    {
      config: { scopes: ["shipments:read"] },
      schema: {
        operationId: "listManifests",
        summary: "List manifests, newest first",
        tags,
        querystring: Type.Object(pageQuery(Manifest)),
        response: { 200: ListOf(Manifest) },
      },
    },
    async (request) => {
      const { db, account, files, clock } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listManifests(db, account.account_id, page),
        count: () => store.countManifests(db, account.account_id),
        show: (row) => toManifest({ files, clock }, row),
      });
    },
  );

  app.get(
    "/manifests/:manifest_id",
    {
      config: { scopes: ["shipments:read"] },
      schema: {
        operationId: "getManifest",
        summary: "Get one manifest",
        description: "The carrier is asked for documents that it did not return with its answer.",
        tags,
        params,
        response: { 200: DataOf(Manifest) },
      },
    },
    async ({ ctx, params: { manifest_id } }) => ({ data: await showManifest(ctx, manifest_id) }),
  );

  app.post(
    "/manifests",
    {
      config: {
        creates: "/manifests/{id}",
        scopes: ["shipments:write"],
        limit: "carrier",
        validation: "in_verb",
        errors: ["not_courier", "not_labelled", "conflict", "carrier_error"],
        examples: {
          "Of these labels": {
            carrier: "canada_post",
            shipment_ids: ["shp_01k6x3v2m4f8r9t0a1b2c3d4e5"],
          },
          "Of a day's labels": { carrier: "canada_post", date: "2026-10-05" },
        },
      },
      schema: {
        operationId: "createManifest",
        summary: "Hand labels over to their carrier",
        description:
          "A manifest, SCAN form or end of day. The carrier is called once for each connection and each address of the labels: `parts`. 409 `conflict` names shipments that are void or on a manifest already. A carrier that takes no list hands over all that is open on its connection; `shipment_ids` then has those, too.",
        tags,
        body: NewManifest,
        response: { 201: DataOf(Manifest) },
      },
    },
    async (request, reply) => createManifest(request.ctx, request.body).then(send(reply)),
  );
};
