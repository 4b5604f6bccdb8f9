import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("no file of the kit passes on what another one has: it would bring both into each screen", () => {
  const kit = import.meta.dirname;
  const passing = globSync("*.{ts,tsx}", { cwd: kit }).filter((name) =>
    /^export\s+(\*|\{[^}]*\})\s+from\s/m.test(readFileSync(join(kit, name), "utf8")),
  );
  expect(passing).toEqual([]);
});
