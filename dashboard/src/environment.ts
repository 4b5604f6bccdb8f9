import { useParams } from "@tanstack/react-router";

export type Environment = "live" | "sandbox";

/** The environment of the URL. The sandbox where there is none: nothing there costs money. */
export function useEnvironment(): Environment {
  const { environment } = useParams({ strict: false }) as { environment?: string };
  return environment === "live" ? "live" : "sandbox";
}
