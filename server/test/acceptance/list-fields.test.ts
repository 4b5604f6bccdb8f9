import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readOperations, type Document, type Operation } from "../operations.ts";
import { outcomeOf, type Failure, type ListOf } from "../client.ts";
import { aShipment } from "../shipments.ts";
import type { Platform } from "../../src/context.ts";
import { systemClock } from "../../src/domain/time/clock.ts";
import { seedSandboxLocations } from "../../src/seed/sandbox-locations.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";
import { aShop, ask } from "./makers.ts";

/** `fields` of every list of the document: the same rows on the same pages, with what was asked for of each. */

type Row = Record<string, unknown>;
interface Parameter {
  name: string;
  description: string;
  schema: { pattern: string };
}
interface WithParameters {
  paths: Record<string, { get?: { operationId: string; parameters?: Parameter[] } }>;
}
interface ListSchema {
  $ref?: string;
  properties?: { data?: { items?: ListSchema }; links?: unknown };
}

let world: World;
let lists: Operation[];
/** By operation: the names that `fields` may have, and those of the schema's rows. */
const names = new Map<string, { offered: string[]; shown: string[]; says: string }>();
beforeAll(async () => {
  world = await aPlatform();
  await seedSandboxLocations({ db: world.db, clock: systemClock } as Platform);
  const path = "/openapi.json";
  const document = must(await (await aShop(world)).get<Document & WithParameters>(path), 200);
  const resolved = (schema: ListSchema | undefined): ListSchema => {
    const name = schema?.$ref?.split("/").at(-1);
    return name ? (document.components.schemas[name] as ListSchema) : (schema ?? {});
  };
  lists = readOperations(document).filter(({ name, method, path: of }) => {
    const { responses } = document.paths[of]![method.toLowerCase()]!;
    const content = responses["200"]?.content?.["application/json"];
    const { data, links } = resolved(content?.schema).properties ?? {};
    if (!data || !links) return false;
    const parameters = document.paths[of]!.get!.parameters ?? [];
    const parameter = parameters.find((each) => each.name === "fields");
    const { pattern } = parameter?.schema ?? {};
    const row = resolved(data.items) as { properties: object };
    names.set(name, {
      offered: /^\^\(([\w|]+)\)/.exec(pattern ?? "")?.[1]?.split("|") ?? [],
      shown: Object.keys(row.properties),
      says: parameter?.description ?? "",
    });
    return true;
  });
});
afterAll(() => world.close());

test("every list says that its rows may then lack what their schema requires", () => {
  for (const { name } of lists)
    expect(names.get(name)!.says, name).toContain("also those that the schema of a row requires");
});

test("every list with pages offers the names of its rows' fields", () => {
  expect(lists.length).toBeGreaterThan(20);
  for (const { name } of lists) {
    const { offered, shown } = names.get(name)!;
    expect(offered, name).toEqual(shown);
  }
});

test("rows have the fields that were asked for, as the whole rows have them, on the same pages", async () => {
  for (const operation of lists) {
    const { name } = operation;
    const account = await aShop(world);
    await fill[name]?.(account);
    const { path } = await ask(world, account, { operation, body: undefined });
    // Reading the log adds lines to it, which are of other methods.
    const page = name === "listRequests" ? "method=POST&per_page=2" : "per_page=2";
    // A delivery may be tried between two reads.
    await vi.waitFor(() => compareParts(account, { name, path, page }), { timeout: 20_000 });
  }
});

/** The rows of a page with some of their fields are the whole ones without the others. */
async function compareParts(
  account: TestAccount,
  { name, path, page }: { name: string; path: string; page: string },
): Promise<void> {
  const { shown } = names.get(name)!;
  const whole = must(await account.get<ListOf<Row>>(`${path}?${page}`), 200);
  expect(whole.data.length, name).toBeGreaterThan(0);
  const halves = [0, 1].map((odd) => shown.filter((_field, index) => index % 2 === odd));
  for (const half of [...halves.filter((each) => each.length > 0), shown.toReversed()]) {
    const query = `${page}&fields=${half.join(",")}`;
    const some = must(await account.get<ListOf<Row>>(`${path}?${query}`), 200);
    expect(withoutMoments(some.data), name).toEqual(withoutMoments(chosen(whole.data, half)));
    for (const row of some.data)
      expect(Object.keys(row), name).toEqual(
        shown.filter((field) => half.includes(field) && field in row),
      );
    expect(some.meta["next_cursor"], name).toBe(whole.meta["next_cursor"]);
    const numbered = must(await account.get<ListOf<Row>>(`${path}?${query}&page=1`), 200);
    expect(withoutMoments(numbered.data), name).toEqual(withoutMoments(some.data));
  }
}

/** Rows for lists that are empty in a new shop. */
const fill: Record<string, (account: TestAccount) => Promise<unknown>> = {
  listImports: (account) =>
    account.post("/imports/products", { format: "json", products: [{ sku: "1", title: "Mug" }] }),
};

function chosen(rows: readonly Row[], fields: readonly string[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field))),
  );
}

/** Tokens are used by reading, and links expire some time after it: what follows from that is left out. */
function withoutMoments(rows: readonly Row[]): Row[] {
  const text = JSON.stringify(rows, (field, value: unknown) =>
    field === "last_used_at" ? undefined : value,
  );
  return JSON.parse(text.replaceAll(/\?expires=\d+&signature=[\w-]+/g, "")) as Row[];
}

test("unknown fields are named, with those that there are", async () => {
  for (const operation of lists) {
    const account = await aShop(world);
    const { path } = await ask(world, account, { operation, body: undefined });
    const { offered } = names.get(operation.name)!;
    const query = `fields=${offered[0]!},colour,size`;
    const { details, code } = must(await account.get<Failure>(`${path}?${query}`), 422).error;
    expect(code).toBe("validation_failed");
    expect(details, operation.name).toEqual({
      fields: [
        `fields must be one or more of ${offered.join(", ")}, separated by commas; "colour", "size" are none of them.`,
      ],
    });
  }
});

describe("a list by `fields`", () => {
  test("goes on by its cursors, whose links keep the fields", async () => {
    const account = await anAccount(world);
    const made = [];
    for (let count = 0; count < 5; count++) made.push((await account.create(aShipment())).id);
    const first = must(
      await account.get<ListOf<Row>>("/shipments?fields=ship_code&per_page=2"),
      200,
    );
    expect(first.links.next).toContain("fields=ship_code");
    const seen: unknown[] = [];
    let cursor = "";
    do {
      const path = `/shipments?fields=id&per_page=2${cursor && `&cursor=${cursor}`}`;
      const page = must(await account.get<ListOf<Row>>(path), 200);
      seen.push(...page.data.map(({ id }) => id));
      cursor = (page.meta["next_cursor"] as string | null) ?? "";
    } while (cursor);
    expect(seen).toEqual(made.toReversed());
  });

  test("takes names in any case and twice, and combines with a search and filters", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment({ reference: "R-1" }));
    for (const query of ["q=Cust", "status=draft,cancelled", "reference=R-1", `q=${id}`]) {
      const path = `/shipments?fields=ID,%20reference,id&${query}`;
      const { data } = must(await account.get<ListOf<Row>>(path), 200);
      if (data.length > 0) expect(data).toEqual([{ id, reference: "R-1" }]);
      else expect(query).toBe("q=Cust");
    }
    expect(outcomeOf(await account.get("/shipments?fields="))).toBe("422 validation_failed");
  });
});
