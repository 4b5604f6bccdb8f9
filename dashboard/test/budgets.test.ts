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

  test("from the sign-in to the overview a browser loads at most 160 kB of program", () => {
    const screens = ["src/screens/auth/sign-in.tsx", "src/screens/overview/overview.tsx"];
    expect(sizeOf(...screens)).toBeLessThanOrEqual(160);
  });

  /** Until it stands; what only opens on it is loaded then. */
  const limits: [limit_kB: number, screens: string[]][] = [
    [
      200,
      [
        "batches/batch",
        "batches/batches",
        "billing/billing",
        "desk/desk",
        "filters/filters",
        "orders/order",
        "orders/orders",
        "pickups/pickups",
        "products/products",
        "rules/rules",
        "settings/account",
        "settings/addresses",
        "settings/approval",
        "shipments/shipment",
        "shipments/shipments",
        "team/profile",
        "team/team",
        "tokens/tokens",
        "tracking/exceptions",
      ],
    ],
    // One reads files of addresses, the other has a field for each condition and action.
    [250, ["batches/import", "rules/rule"]],
  ];
  test.each(limits.flatMap(([limit, screens]) => screens.map((screen) => ({ screen, limit }))))(
    "the screen $screen takes at most $limit kB of program, with the frame",
    ({ screen, limit }) => {
      expect(sizeOf(`src/screens/${screen}.tsx`)).toBeLessThanOrEqual(limit);
    },
  );

  test.each(["accounts", "account", "reviews", "review"])(
    "the operator's page %s takes at most 200 kB of program, with its frame",
    (page) => {
      const own = sizeOf(`src/screens/operator/${page}.tsx`, "src/screens/operator/frame.tsx");
      expect(own).toBeLessThanOrEqual(200);
    },
  );

  test("the styles are at most 15 kB", () => {
    const styles = manifest()["index.html"]!.css ?? [];
    expect(styles.reduce((sum, file) => sum + compressed(file), 0)).toBeLessThanOrEqual(15);
  });
});
