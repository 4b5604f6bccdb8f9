import { Type } from "typebox";
import { Location } from "../../domain/locations/location.ts";
import { etagOf, isUnchanged, notModified } from "../../http/etag.ts";
import { pageQuery } from "../../http/paging.ts";
import { ListOf, send, type Routes } from "../../http/routes.ts";
import { placesNear } from "./ask-carriers.ts";
import { listLocations, LocationQuery } from "./list-locations.ts";
import { NearPlaces, NearQuery } from "./near-schemas.ts";
import * as store from "./store.ts";

const unchanged = Type.Null({
  description: "What the client has (`If-None-Match`) is still right.",
});

/** `/locations` (spec 4.12, decision 18). Clients refresh periodically, mostly without a change. */
export const locationRoutes: Routes = async (app) => {
  app.get(
    "/locations",
    {
      config: { scopes: [] },
      schema: {
        operationId: "listLocations",
        summary: "List drop-off places",
        description:
          "The sandbox has invented ones, production those that the operator imported. All of them by page, or those around a postal code, the nearest first. Answers carry an `ETag`; with `If-None-Match` a catalogue that has not changed is a 304.",
        tags: ["Locations"],
        querystring: Type.Object({ ...pageQuery(Location), ...LocationQuery.properties }),
        response: { 200: ListOf(Location), 304: unchanged },
      },
    },
    async (request, reply) => {
      const { db, account, base_url } = request.ctx;
      const version = await store.catalogueVersion(db, account.environment);
      // An invalid query is an error even for a client that has the current response.
      const answer = await listLocations(request, request.query);
      const etag = etagOf(account.environment, version, base_url, request.url);
      return isUnchanged(request, reply, etag) ? send(reply)(notModified) : answer;
    },
  );

  app.get(
    "/locations/near",
    {
      config: { scopes: [], limit: "carrier" },
      schema: {
        operationId: "findLocations",
        summary: "Ask carriers for their places near a postal code",
        description:
          "Of every carrier that the account has a connection with and that can be asked: what it says now, which the catalogue may not have. A carrier that has not answered in time is in `excluded_carriers`, with the reason.",
        tags: ["Locations"],
        querystring: NearQuery,
        response: { 200: NearPlaces },
      },
    },
    async ({ ctx, query }) => placesNear(ctx, query),
  );
};
