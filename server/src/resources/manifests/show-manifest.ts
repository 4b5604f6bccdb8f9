import type { Context } from "../../context.ts";
import { mendManifest } from "./manifest-files.ts";
import type { Manifest } from "./schemas.ts";
import { getManifest } from "./store.ts";
import { toManifest } from "./view.ts";

/** One manifest. Its carrier is asked for documents that it had not drawn when it made it. Throws 404. */
export async function showManifest(ctx: Context, id: string): Promise<Manifest> {
  const manifest = await getManifest(ctx.db, ctx.account.account_id, id);
  const isBare = manifest.parts.some(
    ({ status, documents }) => status === "created" && documents.length === 0,
  );
  return toManifest(ctx, isBare ? await mendManifest(ctx, manifest) : manifest);
}
