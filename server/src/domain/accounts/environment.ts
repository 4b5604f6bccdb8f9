import { OneOf } from "../values/schema.ts";

/** An account is for real money and labels, or for the sandbox. */
export const Environment = OneOf(["live", "test"] as const, { $id: "Environment" });
