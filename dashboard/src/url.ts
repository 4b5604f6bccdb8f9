import { useParams, useSearch } from "@tanstack/react-router";

/** A part of the URL's path by its name in the route; empty where the route has none of that name. */
export function usePathPart(name: string): string {
  const parts: unknown = useParams({ strict: false });
  return (parts as Record<string, string | undefined>)[name] ?? "";
}

/** The search parameters of the URL, all of them texts. */
export function useSearchParts(): Record<string, string | undefined> {
  const parts: unknown = useSearch({ strict: false });
  return parts as Record<string, string | undefined>;
}
