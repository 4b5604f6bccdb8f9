/** Names of UPS's itemized charges, from its documents; a code without a name here is shown as it is. */
const names: Readonly<Record<string, string>> = {
  "100": "Additional handling",
  "110": "Cash on delivery",
  "120": "Delivery confirmation",
  "121": "Signature required",
  "122": "Adult signature required",
  "190": "Extended area",
  "270": "Residential delivery",
  "300": "Saturday delivery",
  "375": "Fuel surcharge",
  "376": "Delivery area, residential",
  "377": "Delivery area, commercial",
  "400": "Declared value",
  "430": "Peak surcharge",
  "432": "Surge fee",
  "434": "Surge fee",
  "441": "Carbon neutral",
};

export function surchargeName(code: string): string {
  return names[code] ?? `Surcharge ${code}`;
}
