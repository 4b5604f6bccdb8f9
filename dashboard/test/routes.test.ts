import { expect, test } from "vitest";
import { screens } from "./screens.ts";

/** Routes that only frame others, or lead elsewhere. */
const frames = new Set(["__root__", "/", "/$environment", "/operator"]);

/** The router is compiled with a browser's types, and this file is not. */
const load = (path: string) => import(new URL(path, import.meta.url).href) as Promise<unknown>;

test("every route of the router is a screen that the accessibility test opens, and the other way round", async () => {
  const { newRouter } = (await load("../src/router.tsx")) as {
    newRouter: (client: unknown) => { routesById: object };
  };
  const shown = Object.keys(newRouter(null).routesById).filter((route) => !frames.has(route));
  expect([...new Set(screens.map(({ route }) => route))].sort()).toEqual(shown.sort());
});
