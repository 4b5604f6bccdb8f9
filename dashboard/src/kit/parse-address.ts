import { emptyAddress, type AddressDraft } from "./address.ts";

const canadian = /\b([a-z]\d[a-z])[ -]?(\d[a-z]\d)\b/i;
const american = /\b(\d{5}(?:-\d{4})?)\b\s*$/;
const phone = /^\+?[\d\s().-]{7,20}(?:\s*(?:x|ext\.?|poste)\s*\d+)?$/i;
const email = /^\S+@\S+\.\S+$/;
const countries: Record<string, string> = {
  canada: "CA",
  ca: "CA",
  "united states": "US",
  "united states of america": "US",
  usa: "US",
  us: "US",
  "états-unis": "US",
};

/**
 * Reads an address of several lines, or one with commas, as people copy it out of mails: names above, then the
 * street, then "City PROV POSTAL" and maybe a country, phone and email. Null where no postal code is found:
 * then what was pasted is no address.
 */
export function parseAddress(text: string): AddressDraft | null {
  const parts = text
    .split(/\n/)
    .map((line) => line.trim().replace(/,$/, ""))
    .filter(Boolean);
  const lines =
    parts.length >= 3
      ? parts
      : text
          .split(/[\n,]/)
          .map((line) => line.trim())
          .filter(Boolean);
  const found: AddressDraft = { ...emptyAddress };
  const rest = lines.filter((line) => {
    if (email.test(line)) found.email = line;
    else if (phone.test(line) && !american.test(line)) found.phone = line;
    else if (countries[line.toLowerCase()]) found.country_code = countries[line.toLowerCase()]!;
    else return true;
    return false;
  });
  const at = rest.findIndex(
    (line, index) => index > 0 && (canadian.test(line) || american.test(line)),
  );
  if (at < 1) return null;
  readPlace(rest, at, found);
  const above = rest.slice(0, at).filter((line) => line !== "");
  readStreet(above, found);
  return found.address1 && found.city ? found : null;
}

/** "Montréal QC H2Y 1C6"; the city may stand on a line of its own above. */
function readPlace(rest: string[], at: number, found: AddressDraft): void {
  const line = rest[at]!;
  const isCanadian = canadian.test(line);
  found.country_code = isCanadian ? "CA" : "US";
  const [, first = "", second = ""] = (isCanadian ? canadian : american).exec(line)!;
  found.postal_code = isCanadian ? `${first} ${second}`.toUpperCase() : first;
  const before = line
    .replace(isCanadian ? canadian : american, "")
    .replace(/[,\s(]+$/, "")
    .replace(/\)/, "");
  const [, city = "", province = ""] = /^(.*?)[,\s(]*\b([a-z]{2})$/i.exec(before) ?? [];
  found.province_code = province.toUpperCase();
  found.city = (province ? city : before).replace(/[,\s]+$/, "");
  if (!found.city && at > 1) {
    found.city = rest[at - 1]!;
    rest[at - 1] = "";
  }
}

/** The street is the first line with a number; names stand above it, a suite below. */
function readStreet(above: string[], found: AddressDraft): void {
  const street = above.findIndex((line) => /\d/.test(line));
  const at = street < 0 ? above.length - 1 : street;
  found.address1 = above[at] ?? "";
  found.address2 = above.slice(at + 1).join(", ");
  found.name = above[0] && at > 0 ? above[0] : "";
  if (at > 1) found.company = above.slice(1, at).join(", ");
  found.is_residential = found.company === "";
}
