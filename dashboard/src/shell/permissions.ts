import { useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import { useEnvironment } from "../environment.ts";

interface Caller {
  scopes: string[];
}

/** Whether the signed-in person may do what any of the scopes allows, here. Until it is known, nothing is hidden. */
export function useMay(): (scopes?: readonly string[]) => boolean {
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: [environment, "token"],
    queryFn: async ({ signal }) =>
      (await call<Caller>(environment, "GET", "/token", { signal })).data,
    staleTime: 60_000,
  });
  return (scopes) => !scopes || !data || scopes.some((scope) => data.scopes.includes(scope));
}
