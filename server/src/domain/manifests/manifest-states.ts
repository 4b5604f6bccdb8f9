import { OneOf } from "../values/schema.ts";

/** The states of a manifest and of its parts, which are one call each (decision 27). None is undone. */
export const manifestStatuses = ["creating", "created", "failed"] as const;
export type ManifestStatus = (typeof manifestStatuses)[number];
export const ManifestStatus = OneOf(manifestStatuses, { $id: "ManifestStatus" });

/** `creating` until every part has an outcome; then `created` when one of them was made. */
export function manifestStatusOf(parts: readonly ManifestStatus[]): ManifestStatus {
  if (parts.includes("creating")) return "creating";
  return parts.includes("created") ? "created" : "failed";
}
