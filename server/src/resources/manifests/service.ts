import type { Platform } from "../../context.ts";
import type { ListedFile } from "../../providers/files/check-file.ts";
import { mendManifest } from "./manifest-files.ts";
import { getManifest } from "./store.ts";

export { manifestCreation } from "./manifest-creation.ts";
export {
  restoreManifest,
  statesOfMembers,
  type MemberState,
  type MissingManifest,
  type MissingMember,
} from "./restore-manifest.ts";

/** The files of a manifest, those that were lost here fetched from its carrier again. Throws 404. */
export async function mendedFiles(
  platform: Platform,
  { account_id, manifest_id }: { account_id: string; manifest_id: string },
): Promise<ListedFile[]> {
  const manifest = await getManifest(platform.db, account_id, manifest_id);
  return (await mendManifest(platform, manifest)).parts.flatMap(({ documents }) => documents);
}
