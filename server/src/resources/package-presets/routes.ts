import { Type } from "typebox";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { createPreset, deletePreset, updatePreset } from "./change-preset.ts";
import { NewPackagePreset, PackagePreset, PackagePresetChanges } from "./schemas.ts";
import * as store from "./store.ts";
import { toPreset } from "./view.ts";

const tags = ["Account"];
const reads = { scopes: ["account:read", "addresses:read"] } as const;
const writes = { scopes: ["addresses:write"], validation: "in_verb" } as const;
const params = Type.Object({ preset_id: Type.String({ description: "The preset's id." }) });

/** `/package-presets`: sizes of packages that an account uses again and again. */
export const packagePresetRoutes: Routes = async (app) => {
  app.get(
    "/package-presets",
    {
      config: reads,
      schema: {
        operationId: "listPackagePresets",
        summary: "List presets of packages, newest first",
        tags,
        querystring: Type.Object(pageQuery(PackagePreset)),
        response: { 200: ListOf(PackagePreset) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listPresets(db, account.account_id, page),
        count: () => store.countPresets(db, account.account_id),
        show: toPreset,
      });
    },
  );

  app.get(
    "/package-presets/:preset_id",
    {
      config: reads,
      schema: {
        operationId: "getPackagePreset",
        summary: "Get one preset",
        tags,
        params,
        response: { 200: DataOf(PackagePreset) },
      },
    },
    async ({ ctx: { db, account }, params: { preset_id } }) => ({
      data: toPreset(await store.getPreset(db, account.account_id, preset_id)),
    }),
  );

  app.post(
    "/package-presets",
    {
      config: {
        creates: "/package-presets/{id}",
        ...writes,
        examples: {
          "A box": { name: "Small box", length: 20, width: 15, height: 10, size_unit: "cm" },
        },
      },
      schema: {
        operationId: "createPackagePreset",
        summary: "Save a preset of a package",
        description: "409 `conflict` for a name that is taken, and for the 201st.",
        tags,
        body: NewPackagePreset,
        response: { 201: DataOf(PackagePreset) },
      },
    },
    async (request, reply) => createPreset(request.ctx, request.body).then(send(reply)),
  );

  app.put(
    "/package-presets/:preset_id",
    {
      config: { ...writes, examples: { "Its name": { name: "Smaller box" } } },
      schema: {
        operationId: "updatePackagePreset",
        summary: "Change a preset",
        description: "Fields that are left out stay; null clears one.",
        tags,
        params,
        body: PackagePresetChanges,
        response: { 200: DataOf(PackagePreset) },
      },
    },
    async (request, reply) =>
      updatePreset(request.ctx, request.params.preset_id, request.body).then(send(reply)),
  );

  app.delete(
    "/package-presets/:preset_id",
    {
      config: { scopes: writes.scopes },
      schema: {
        operationId: "deletePackagePreset",
        summary: "Delete a preset",
        tags,
        params,
        response: { 204: Type.Null({ description: "Deleted" }) },
      },
    },
    async (request, reply) => deletePreset(request.ctx, request.params.preset_id).then(send(reply)),
  );
};
