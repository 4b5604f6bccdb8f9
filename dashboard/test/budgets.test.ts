import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const dist = join(import.meta.dirname, "../dist");
const manifestFile = join(dist, ".vite/manifest.json");

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

describe.skipIf(!existsSync(manifestFile))("the built dashboard", () => {
  const manifest = () => JSON.parse(readFileSync(manifestFile, "utf8")) as Record<string, Chunk>;
  const compressed = (file: string) => statSync(join(dist, `${file}.gz`)).size / 1000;

  /** The compressed size, in kB, of these sources with everything that they import at once. */
  function sizeOf(...sources: string[]): number {
    const chunks = manifest();
    const seen = new Set<string>();
    const visit = (name: string) => {
      if (seen.has(name)) return;
      seen.add(name);
      chunks[name]!.imports?.forEach(visit);
    };
    ["index.html", "src/kit/words.en.ts", "src/shell/words.en.ts", ...sources].forEach(visit);
    return [...seen].reduce((sum, name) => sum + compressed(chunks[name]!.file), 0);
  }

  test("from the sign-in to the overview a browser loads at most 196 kB of program", () => {
    const screens = ["src/screens/auth/sign-in.tsx", "src/screens/overview/overview.tsx"];
    expect(sizeOf(...screens)).toBeLessThanOrEqual(196);
  });

  test.each([
    "shipments/shipments",
    "shipments/shipment",
    "tokens/tokens",
    "desk/desk",
    "billing/billing",
    "products/products",
    "filters/filters",
    "rules/rules",
  ])("the screen %s takes at most 235 kB of program, with the frame", (screen) => {
    expect(sizeOf(`src/screens/${screen}.tsx`)).toBeLessThanOrEqual(235);
  });

  test("the editor of rules takes at most 245 kB of program, with the frame", () => {
    expect(sizeOf("src/screens/rules/rule.tsx")).toBeLessThanOrEqual(245);
  });

  test("the styles are at most 15 kB", () => {
    const styles = manifest()["index.html"]!.css ?? [];
    expect(styles.reduce((sum, file) => sum + compressed(file), 0)).toBeLessThanOrEqual(15);
  });
});
