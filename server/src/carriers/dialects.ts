import { canadaPostDialect } from "./canada-post/dialect/canada-post-dialect.ts";
import { purolatorDialect } from "./purolator/dialect/purolator-dialect.ts";
import type { Dialect } from "./simulator/dialect.ts";
import { upsDialect } from "./ups/dialect/ups-dialect.ts";
import { uspsDialect } from "./usps/dialect/usps-dialect.ts";

/** The carriers that the simulator speaks for in their own form. */
export const dialects: readonly Dialect[] = [
  canadaPostDialect,
  purolatorDialect,
  upsDialect,
  uspsDialect,
];
