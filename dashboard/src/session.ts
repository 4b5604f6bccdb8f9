import {
  queryOptions,
  useQueryClient,
  useSuspenseQuery,
  type QueryClient,
} from "@tanstack/react-query";
import { authCall } from "./auth.ts";
import { useEnvironment } from "./environment.ts";
import { forgetImports } from "./import/stored-import.ts";
import { problemOf } from "./kit/problem.ts";

export type Role = "owner" | "shipper" | "developer" | "finance" | "viewer";

export interface Membership {
  organization: { id: string; name: string };
  role: Role;
  accounts: { id: string; environment: "live" | "test"; is_suspended: boolean; scopes: string[] }[];
}

/** The signed-in person, as `GET /api/auth/me` shows it. */
export interface Me {
  user: { id: string; name: string; email: string; locale: string; has_totp: boolean };
  memberships: Membership[];
  session_id: string;
  strong_until: string | null;
}

/** Who is signed in; null without a session. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await authCall<Me>("GET", "/me", { signal });
    } catch (error) {
      if (problemOf(error).status === 401) return null;
      throw error;
    }
  },
});

/** Who is signed in. Only below the shell, which is not shown without a session. */
export function useSession(): Me {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new Error("There is no session.");
  return data;
}

/**
 * Whether the signed-in person may do here what any of the scopes allows, and has one of the roles where it is
 * a matter of those; the server has the last word.
 */
export function useMay(): (scopes?: readonly string[], roles?: readonly Role[]) => boolean {
  const { memberships } = useSession();
  const environment = useEnvironment() === "live" ? "live" : "test";
  const own =
    memberships[0]?.accounts.find((each) => each.environment === environment)?.scopes ?? [];
  const role = memberships[0]?.role;
  return (scopes, roles) =>
    (!scopes || scopes.some((scope) => own.includes(scope))) &&
    (!roles || (role !== undefined && roles.includes(role)));
}

/** Ends the session and forgets everything that was read with it. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await authCall("POST", "/sign-out", { body: {} }).catch(() => undefined);
    forget(client);
    window.location.assign("/app/sign-in");
  };
}

/** Drops what the last person saw: nothing of it may be shown to the next one. */
export function forget(client: QueryClient): void {
  client.clear();
  forgetImports();
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith("waybill.")) sessionStorage.removeItem(key);
}
