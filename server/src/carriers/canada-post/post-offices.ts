import type { CarrierLocation, CarrierLocations } from "../capabilities.ts";
import { all, textAt, type XmlElement } from "../protocol/xml.ts";
import type { PostClient } from "./client.ts";
import { successOf } from "./errors.ts";
import { postalCode } from "./parties.ts";

/** Post offices near a postal code, in Canada. */

const mediaType = "application/vnd.cpc.postoffice+xml";
/** What one call returns at most (its documents). */
const limitMost = 50;
const timeout_ms = 20_000;

export function postOffices(client: PostClient): CarrierLocations {
  return {
    async near({ context, address, limit }, signal) {
      if (address.country_code !== "CA") return [];
      const query = new URLSearchParams({
        d2po: "false",
        postalCode: postalCode(address),
        maximum: String(Math.min(limit, limitMost)),
      });
      const to = `/rs/postoffice?${query.toString()}`;
      const call = {
        method: "GET",
        to,
        media_type: mediaType,
        context,
        signal,
        timeout_ms,
      } as const;
      return fromPostOffices(successOf(await client.call(call), "post-office-list"));
    },
  };
}

/** Those that have an id and an address. */
export function fromPostOffices(root: XmlElement): CarrierLocation[] {
  return all(root, "post-office").flatMap((office) => {
    const text = (path: string) => textAt(office, path);
    const id = text("office-id");
    const address1 = text("address/office-address");
    if (id === null || address1 === null) return [];
    const address = {
      address1,
      address2: null,
      city: text("address/city") ?? "",
      province_code: text("address/province"),
      postal_code: text("address/postal-code")?.replace(/^(.{3})(.{3})$/, "$1 $2") ?? null,
      country_code: "CA",
    };
    const name = text("name") ?? text("location") ?? id;
    return [{ id, name, address, distance_metres: metres(text("distance")) }];
  });
}

function metres(kilometres: string | null): number | null {
  if (kilometres === null || !/^\d{1,5}(\.\d{1,4})?$/.test(kilometres)) return null;
  return Math.round(Number(kilometres) * 1_000);
}
