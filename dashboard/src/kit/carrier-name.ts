const names: Record<string, string> = {
  canada_post: "Canada Post",
  day_ross: "Day & Ross",
  fedex: "FedEx",
  tforce_freight: "TForce Freight",
  ups: "UPS",
  usps: "USPS",
};

/** The name of a carrier where only its code is given; of one that is not known here, its code in words. */
export function carrierName(code: string): string {
  return (
    names[code] ??
    code
      .split("_")
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join(" ")
  );
}
