/** What a decision states in addition, read from the schema that the API gives with the item. */

export interface EvidenceField {
  /** As the API names it: `label.tracking_code`. */
  path: string;
  name: string;
  kind: "text" | "number" | "list";
  choices: string[] | null;
  isOptional: boolean;
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
}

/** A file is sent with the API itself. */
const leftOut = new Set(["label_base64", "label_format"]);

/** The fields of the schema, those of an object inside it by their path. */
export function evidenceFields(schemas: Record<string, unknown>): EvidenceField[] {
  return Object.entries(schemas as Record<string, Schema>)
    .flatMap(([name, schema]) =>
      schema.properties
        ? Object.entries(schema.properties).map(([part, each]) => fieldOf(`${name}.${part}`, each))
        : [fieldOf(name, schema)],
    )
    .filter(({ name }) => !leftOut.has(name));
}

/** What may be null may be left out, too. */
function fieldOf(path: string, { type = [], enum: values }: Schema): EvidenceField {
  const types = [type].flat();
  const choices = values?.filter((each): each is string => typeof each === "string") ?? null;
  return {
    path,
    name: path.split(".").at(-1)!,
    kind: types.includes("array") ? "list" : types.includes("number") ? "number" : "text",
    choices,
    isOptional: types.includes("null"),
  };
}

/** The typed values as the API takes them; what was left empty is not sent. */
export function bodyOf(
  fields: readonly EvidenceField[],
  values: Record<string, string>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { path, kind } of fields) {
    const text = values[path]?.trim() ?? "";
    const [first = "", second] = path.split(".");
    if (second !== undefined) body[first] ??= {};
    if (text === "") continue;
    const value =
      kind === "number" ? numberOf(text) : kind === "list" ? text.split(/[\s,]+/) : text;
    if (second === undefined) body[first] = value;
    else (body[first] as Record<string, unknown>)[second] = value;
  }
  return body;
}

/** As people write it in French or English; what is no number is sent as it is, for the API to refuse. */
function numberOf(text: string): number | string {
  const value = Number(text.replace(",", "."));
  return Number.isNaN(value) ? text : value;
}
