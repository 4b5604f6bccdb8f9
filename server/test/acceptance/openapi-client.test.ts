import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocuments } from "../../../scripts/openapi-document.ts";
import { allExamples, type ApiDocument, type DocumentExample } from "./document-examples.ts";

/** The document in third-party tools: a linter, and a generator of clients. */

const root = fileURLToPath(new URL("../../..", import.meta.url));
let folder: string;
let document: ApiDocument;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-client-"));
  document = (await openApiDocuments()).live as ApiDocument;
  await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a tool of `node_modules` in the folder; it must not use the network. */
async function run(
  tool: string,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const program = join(root, "node_modules", tool);
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", () => undefined);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, output };
}

test("a linter with its recommended rules has no findings in the document", async () => {
  const { output } = await run("@redocly/cli/bin/cli.js", "lint", "openapi.json", "--format=json");
  const { totals, problems } = JSON.parse(output) as { totals: object; problems: object[] };
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
}, 180_000);

test("a generated client compiles against every example and against calls as people write them", async () => {
  const made = await run("openapi-typescript/bin/cli.js", "openapi.json", "--output", "client.ts");
  expect(made.code, made.output).toBe(0);
  const examples = allExamples(document).filter(({ of }) => of !== "error");
  expect(examples.length).toBeGreaterThan(100);
  const constants = examples.map((example, index) => constantOf(example, index));
  await writeFile(
    join(folder, "examples.ts"),
    [`import type { paths } from "./client.ts";`, ...constants].join("\n\n"),
  );
  const calls = await readFile(new URL("client-calls.txt", import.meta.url), "utf8");
  await writeFile(join(folder, "calls.ts"), calls);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(await compilerOptions()));
  const compiled = await run(
    "typescript/bin/tsc",
    "--project",
    "tsconfig.json",
    "--pretty",
    "false",
  );
  expect(compiled.output).toBe("");
  expect(compiled.code).toBe(0);
}, 180_000);

/** The repository's own, which are strict, without the Node parts. */
async function compilerOptions(): Promise<object> {
  const { compilerOptions: ours } = JSON.parse(
    await readFile(join(root, "tsconfig.json"), "utf8"),
  ) as { compilerOptions: object };
  return { compilerOptions: { ...ours, types: [], skipLibCheck: false }, include: ["*.ts"] };
}

function constantOf(
  { of, name, path, method, status, value }: DocumentExample,
  index: number,
): string {
  const operation = `paths[${JSON.stringify(path)}][${JSON.stringify(method)}]`;
  const type =
    of === "request"
      ? `NonNullable<${operation}["requestBody"]>["content"]["application/json"]`
      : `${operation}["responses"][${status}]["content"]["application/json"]`;
  return `// ${name}\nexport const example_${index}: ${type} = ${JSON.stringify(value, null, 2)};`;
}
