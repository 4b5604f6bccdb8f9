import type { QueryClient } from "@tanstack/react-query";
import type { Environment } from "../environment.ts";
import { waybillOf } from "../waybill.ts";

/** The screens of things that are named by an id with this prefix. */
const screens: Record<string, string> = {
  shp: "/shipments/",
};

/**
 * The path, behind the environment, of what an id, a tracking code, an order number or a scanned bar code
 * names; null if nothing does.
 */
export async function lookUp(
  client: QueryClient,
  environment: Environment,
  text: string,
): Promise<string | null> {
  const wanted = text.trim();
  const prefix = /^([a-z]{2,5})_[0-9a-z]{26}$/.exec(wanted)?.[1];
  if (prefix && screens[prefix]) return `${screens[prefix]}${wanted}`;
  for (const query of [{ tracking_code: wanted }, { q: wanted }]) {
    const { data } = await client.fetchQuery({
      queryKey: [environment, "look-up", query],
      queryFn: () =>
        waybillOf(environment)
          .shipments.list({ ...query, per_page: 2 })
          .page(),
      staleTime: 5_000,
    });
    if (data.length === 1) return `/shipments/${data[0]!.id}`;
    if (data.length > 1) return `/shipments?q=${encodeURIComponent(wanted)}`;
  }
  return null;
}
