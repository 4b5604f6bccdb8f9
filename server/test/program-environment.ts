/**
 * The environment of a test's processes: the path of programs, and the run's compiled code
 * (`setup/compile-cache.ts`).
 */
export const programEnvironment = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};
