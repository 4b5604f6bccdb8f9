import { expect, test } from "vitest";
import { newQueryClient } from "../src/query-client.ts";
import { newRouter } from "../src/router.tsx";
import { screens } from "./screens.ts";

/** Routes that only frame others, or lead elsewhere. */
const frames = new Set(["__root__", "/", "/$environment", "/operator"]);

test("every route of the router is a screen that the accessibility test opens, and the other way round", () => {
  const routes = Object.keys(newRouter(newQueryClient()).routesById);
  const shown = routes.filter((route) => !frames.has(route));
  expect([...new Set(screens.map(({ route }) => route))].sort()).toEqual(shown.sort());
});
