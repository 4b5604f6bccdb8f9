import { createRoute, type AnyRoute } from "@tanstack/react-router";
import { lazy, type ComponentType } from "react";
import { firstLocale, type Dictionary } from "./words/locale.tsx";

type Load = () => Promise<{ default: ComponentType }>;

/** Checks and completes the search parameters of a screen's URL: they are typed by people, too. */
type ReadSearch = (search: Record<string, unknown>) => Record<string, unknown>;

/**
 * A screen at a path. Its code and its words are loaded side by side when it is first opened:
 *
 *     screen(inside, "/shipments", () => import("./screens/shipments/shipments.tsx"), shipmentWords),
 */
export function screen<Parent extends AnyRoute>(
  parent: Parent,
  path: string,
  load: Load,
  words: Dictionary<unknown>,
  readSearch?: ReadSearch,
) {
  const Component = lazy(load);
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: Component,
    ...(readSearch ? { validateSearch: readSearch } : {}),
    loader: async () => {
      void load();
      await words.load(firstLocale());
    },
  }) as unknown as AnyRoute;
}
