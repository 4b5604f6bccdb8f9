import { all, textAt, type XmlElement } from "../protocol/xml.ts";

/** Post offices near a postal code. No I/O. */

export const postOfficeMediaType = "application/vnd.cpc.postoffice+xml";

export interface PostOffice {
  office_id: string;
  name: string;
  address: string;
  city: string;
  province_code: string;
  postal_code: string;
  latitude: number | null;
  longitude: number | null;
  distance_km: number | null;
}

/** Those that have an id and an address. */
export function fromPostOffices(root: XmlElement): PostOffice[] {
  return all(root, "post-office").flatMap((office) => {
    const text = (path: string) => textAt(office, path);
    const office_id = text("office-id");
    const address = text("address/office-address");
    if (office_id === null || address === null) return [];
    return [
      {
        office_id,
        name: text("name") ?? text("location") ?? office_id,
        address,
        city: text("address/city") ?? "",
        province_code: text("address/province") ?? "",
        postal_code: text("address/postal-code") ?? "",
        latitude: numberOf(text("address/latitude")),
        longitude: numberOf(text("address/longitude")),
        distance_km: numberOf(text("distance")),
      },
    ];
  });
}

function numberOf(text: string | null): number | null {
  return text !== null && /^-?\d{1,6}(\.\d{1,10})?$/.test(text) ? Number(text) : null;
}
