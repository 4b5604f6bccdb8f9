import { useNavigate, useParams, useSearch } from "@tanstack/react-router";

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

type Filters = Record<string, string | undefined>;

/** The filters of a list, which are the URL's search parameters: what is empty leaves it. */
export function useFilters() {
  const navigate = useNavigate();
  const filters = useSearchParts();
  const show = (next: Filters) => {
    const search = Object.fromEntries(Object.entries(next).filter(([, value]) => value));
    void navigate({ to: ".", search, replace: true });
  };
  return {
    filters,
    change: (changes: Filters) => show({ ...filters, ...changes }),
    clear: () => show({}),
    isFiltered: Object.keys(filters).length > 0,
  };
}
