import { usePathPart } from "./url.ts";

export type Environment = "live" | "sandbox";

/** The environment of the URL. The sandbox where there is none: nothing there costs money. */
export function useEnvironment(): Environment {
  return usePathPart("environment") === "live" ? "live" : "sandbox";
}
