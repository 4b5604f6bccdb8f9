import type { Coordinates } from "../../../domain/postal/places.ts";

/** A place that a scan names, as carriers print it. */
export interface City {
  city: string;
  province_code: string | null;
  country_code: string;
}

export interface Hub extends City, Coordinates {
  /** Where freight that leaves the continent is loaded. */
  is_gateway: boolean;
}

/** Where carriers sort in transit: name, province or state, latitude and longitude to a tenth of a degree. */
const canadian = `
  St. John's NL 47.6 -52.7 | Halifax NS 44.7 -63.6 | Moncton NB 46.1 -64.8 | Québec QC 46.8 -71.2
  Montréal QC 45.5 -73.6 * | Ottawa ON 45.4 -75.7 | Mississauga ON 43.6 -79.6 * | London ON 43.0 -81.2
  Sudbury ON 46.5 -81.0 | Thunder Bay ON 48.4 -89.2 | Winnipeg MB 49.9 -97.1 | Regina SK 50.4 -104.6
  Saskatoon SK 52.1 -106.7 | Calgary AB 51.0 -114.1 | Edmonton AB 53.5 -113.5 | Kamloops BC 50.7 -120.3
  Richmond BC 49.2 -123.1 * | Whitehorse YT 60.7 -135.1 | Yellowknife NT 62.5 -114.4`;

const american = `
  Boston MA 42.4 -71.1 | Newark NJ 40.7 -74.2 * | Syracuse NY 43.0 -76.1 | Philadelphia PA 40.0 -75.2
  Pittsburgh PA 40.4 -80.0 | Columbus OH 40.0 -83.0 | Louisville KY 38.2 -85.8 | Memphis TN 35.1 -90.0
  Atlanta GA 33.7 -84.4 | Greensboro NC 36.1 -79.8 | Jacksonville FL 30.3 -81.7 | Miami FL 25.8 -80.2 *
  Indianapolis IN 39.8 -86.2 | Chicago IL 41.9 -87.6 * | Minneapolis MN 45.0 -93.3 | St. Louis MO 38.6 -90.2
  Kansas City MO 39.1 -94.6 | Omaha NE 41.3 -95.9 | Dallas TX 32.8 -96.8 | Houston TX 29.8 -95.4
  Denver CO 39.7 -105.0 | Salt Lake City UT 40.8 -111.9 | Boise ID 43.6 -116.2 | Phoenix AZ 33.4 -112.1
  Los Angeles CA 34.1 -118.2 * | Oakland CA 37.8 -122.3 | Portland OR 45.5 -122.7 | Seattle WA 47.6 -122.3 *
  Spokane WA 47.7 -117.4 | Billings MT 45.8 -108.5 | Fargo ND 46.9 -96.8 | Anchorage AK 61.2 -149.9
  Honolulu HI 21.3 -157.9`;

export const hubs: readonly Hub[] = [...read(canadian, "CA"), ...read(american, "US")];

function read(list: string, country_code: string): Hub[] {
  return list.split(/[|\n]/).flatMap((entry) => {
    const match = /^(.+) ([A-Z]{2}) ([\d.-]+) ([\d.-]+)( \*)?$/.exec(entry.trim());
    if (!match) return [];
    const [, city, province_code, latitude, longitude, gateway] = match;
    return [
      {
        city: city!,
        province_code: province_code!,
        country_code,
        latitude: Number(latitude),
        longitude: Number(longitude),
        is_gateway: gateway !== undefined,
      },
    ];
  });
}
