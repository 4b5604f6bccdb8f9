/**
 * Whether the product sends the present statement: the nearest file of this repository on the stack, except
 * those that only pass a statement on to the database, is neither a test's nor the one that runs migrations.
 */
export function isAskedByProduct(): boolean {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const stack = new Error().stack ?? "";
  Error.stackTraceLimit = limit;
  const files = [...stack.matchAll(/^.*\/((?:server|bench)\/[\w/.-]+\.ts)/gm)].map(
    ([, file]) => file!,
  );
  const asker = files.find((file) => !carriers.test(file));
  return asker === undefined || !others.test(asker);
}

const carriers =
  /^server\/(src\/database\/(driver|criteria)\/|src\/database\/(?!migrate\.)[\w-]+\.ts$|test\/linter\/)/;
const others =
  /^server\/test\/|^bench\/|\.test\.ts$|-world\.ts$|^server\/src\/database\/migrate\.ts$/;

/** The texts that the product sent in any file of this process: to read the stack costs more than most statements. */
export const askedInProcess = new Set<string>();
