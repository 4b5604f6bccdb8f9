import { canadaPostDialect } from "./canada-post/dialect/routes.ts";
import { purolatorDialect } from "./purolator/dialect/routes.ts";
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
