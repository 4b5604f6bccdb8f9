import { queryOptions } from "@tanstack/react-query";
import type { CarrierConnection } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { problemOf } from "../../kit/problem.ts";
import { waybillOf } from "../../waybill.ts";

/** An account has at most so many, which is one page. */
const connectionsMost = 100;

/** The account's own connections of all carriers, newest first; null where it may have none. */
export function connectionsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, "carrier-connections"],
    queryFn: async ({ signal }): Promise<CarrierConnection[] | null> => {
      const list = waybillOf(environment).carrierConnections.list(
        { per_page: connectionsMost },
        { signal },
      );
      try {
        return (await list.page()).data;
      } catch (error) {
        if (problemOf(error).code === "feature_disabled") return null;
        throw error;
      }
    },
  });
}
