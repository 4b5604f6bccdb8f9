/** What a process of a test has of ours: where programs are, and the run's compiled code (`setup/compile-cache.ts`). */
export const programEnvironment = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};
