import { beforeAll, describe, expect, test } from "vitest";
import { openApiDocuments } from "../../../scripts/openapi-document.ts";
import { readConfig } from "../../src/config.ts";
import { knownScopes } from "../../src/domain/accounts/scopes.ts";
import type { ApiDocument } from "./document-examples.ts";

/** The content of the document, for any reader and tool. */

let live: ApiDocument;
let sandbox: ApiDocument;
beforeAll(async () => {
  const documents = await openApiDocuments();
  [live, sandbox] = [documents.live as ApiDocument, documents.test as ApiDocument];
});

/** Every object in the document, except in the examples, with where it is. */
function objectsIn(value: unknown, path = ""): [path: string, object: Record<string, unknown>][] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    key === "example" || key === "examples" ? [] : objectsIn(inner, `${path}/${key}`),
  );
  return Array.isArray(value)
    ? inside
    : [[path, value as Record<string, unknown>] as const, ...inside];
}

const operations = () => Object.values(live.paths).flatMap((methods) => Object.values(methods));

test("both base addresses have one document, each with its own server first", () => {
  expect(live.servers.map(({ url }) => url)).toEqual(["/api/v5", "/sandbox/api/v5"]);
  expect(sandbox).toEqual({ ...live, servers: live.servers.toReversed() });
});

describe("the introduction", () => {
  test("fills in every figure and table", () => {
    const { description } = live.info;
    expect(description).not.toMatch(/\{\{|undefined/);
    const { requests_per_minute, carrier_requests_per_minute, top_ups_per_minute } = readConfig({});
    for (const figure of [requests_per_minute, carrier_requests_per_minute, top_ups_per_minute])
      expect(description).toContain(`| ${figure} |`);
    for (const scope of knownScopes) expect(description).toContain(`\`${scope}\``);
  });

  test("states which scopes are implied, how to steer the sandbox, and which status follows another", () => {
    const { description } = live.info;
    expect(description).toContain("`orders:write` implies `orders:read`");
    expect(description).not.toContain("implies `shipments:void`");
    for (const word of ["sim:lost_answer", "pm_card_declined", "Idempotency-Key", "links.next"])
      expect(description).toContain(word);
    expect(description).toContain("| `purchased` | `void_pending`, `in_transit` |");
    expect(description).toContain("| `booked` | `void_pending`, `in_transit` |");
  });
});

test("every group of operations and every parameter is described", () => {
  const used = new Set(operations().flatMap(({ tags }) => tags));
  expect(new Set(live.tags.map(({ name }) => name))).toEqual(used);
  for (const { name, description } of live.tags) expect(description, name).toBeTruthy();
  const shared = live.components["parameters"] as Record<string, { description?: string }>;
  for (const [name, { description }] of Object.entries(shared))
    expect(description, name).toBeTruthy();
  for (const { operationId, parameters = [] } of operations())
    for (const { $ref, name, description } of parameters)
      expect($ref ?? description, `${operationId} ${name}`).toBeTruthy();
});

test("every operation is summed up and described, and every response has a description", () => {
  for (const { operationId, summary, description, responses } of operations()) {
    expect(summary, operationId).toBeTruthy();
    // The required scopes are always stated; what it does, by the summary alone where that is enough.
    expect(description, operationId).toMatch(/Needs (any valid token|`[a-z]+:[a-z]+`)/);
    for (const [status, { $ref, description: said }] of Object.entries(responses))
      expect($ref ?? said, `${operationId} ${status}`).toBeTruthy();
  }
  for (const [name, { description }] of Object.entries(live.components.responses))
    expect(description, name).toBeTruthy();
});

test("a set of values is one component, wherever it is used", () => {
  const places = new Map<string, string[]>();
  for (const [path, { enum: values }] of objectsIn(live)) {
    if (!Array.isArray(values)) continue;
    const some = values.filter((each) => each !== null).sort();
    const key = some.join(", ");
    if (some.length > 1) places.set(key, [...(places.get(key) ?? []), path]);
  }
  expect(places.size).toBeGreaterThan(40);
  for (const [values, [place, ...others]] of places) {
    expect(place, values).toMatch(/^\/components\/schemas\/\w+$/);
    expect(others, values).toEqual([]);
  }
});

test("a discriminator maps every choice, each by a value of a field that it always has", () => {
  const discriminated = objectsIn(live).filter(([, { discriminator }]) => discriminator);
  expect(discriminated.length).toBeGreaterThan(10);
  for (const [path, { oneOf, discriminator }] of discriminated) {
    const { propertyName, mapping } = discriminator as Discriminator;
    const choices = (oneOf as { $ref: string }[]).map(({ $ref }) => $ref);
    expect(Object.values(mapping).sort(), path).toEqual(choices.sort());
    for (const [value, reference] of Object.entries(mapping)) {
      const choice = live.components.schemas[reference.replace("#/components/schemas/", "")];
      const { required = [], properties } = (choice ?? {}) as Choice;
      expect(properties?.[propertyName]?.enum, `${path} ${value}`).toEqual([value]);
      expect(required, `${path} ${value}`).toContain(propertyName);
    }
  }
});

interface Discriminator {
  propertyName: string;
  /** By value the reference of a choice. */
  mapping: Record<string, string>;
}

interface Choice {
  required?: string[];
  properties?: Record<string, { enum?: string[] }>;
}

test("no choice of values and no object is without a name", () => {
  const nameless: string[] = [];
  const walk = (value: unknown, path: string, isNamed: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    const { enum: values, type, properties } = value as Record<string, unknown>;
    const isChoice = Array.isArray(values) && values.filter((each) => each !== null).length > 1;
    const isObject = type === "object" && Object.keys(properties ?? {}).length > 0;
    if (!isNamed && (isChoice || isObject)) nameless.push(path);
    for (const [key, inner] of Object.entries(value))
      if (key !== "example" && key !== "examples") walk(inner, `${path}/${key}`, false);
  };
  for (const [name, schema] of Object.entries(live.components.schemas)) walk(schema, name, true);
  walk(live.paths, "paths", false);
  // Its response is to become a list as all others are.
  expect(nameless.filter((path) => !path.includes("payment-methods"))).toEqual([]);
});

test("no custom format or keyword is left, and no component without a use", () => {
  const text = JSON.stringify(live);
  expect(text).not.toMatch(/day-or-moment|x-annotations|x-documented|x-component|maxDecimals/);
  for (const [section, parts] of Object.entries(live.components).filter(
    ([name]) => name !== "securitySchemes",
  ))
    for (const name of Object.keys(parts))
      expect(text, name).toContain(`"#/components/${section}/${name}"`);
});

test("a label's format and size have no default in a request, and each states the meaning of an absent one", () => {
  for (const [name, { properties = {} }] of Object.entries(live.components.schemas)) {
    const isRequest = /^(New|Buy|Process|Rates|.*(Changes|Overrides|ToBuy)$)/.test(name);
    for (const field of ["label_format", "label_size"]) {
      const property = (properties as Record<string, { description?: string }>)[field];
      if (!isRequest || !property) continue;
      expect(JSON.stringify(property), `${name} ${field}`).not.toContain("default");
      expect(property.description, `${name} ${field}`).toMatch(/when (absent|neither names one)/);
    }
  }
});

test("a missing label is a documented response of reading it", () => {
  const { responses } = live.paths["/labels/{shipment_id}"]!["get"]!;
  expect(responses["409"]).toEqual({ $ref: "#/components/responses/Error409" });
  expect(live.components.responses["Error409"]!.description).toContain("`not_labelled`");
});
