/**
 * The vocabulary that the five tariffs are written in. Amounts are cents in the currency of the
 * country that a package leaves from. The figures are made up, of the size of the published price
 * guides of 2025; a simulator owes plausible prices, not current ones.
 */
export interface CarrierTariff {
  carrier: string;
  name: string;
  /** Percent of the base that fuel adds, by how the service moves. */
  fuel_percent: { ground: number; air: number };
  /** A home rather than a business: most couriers charge for it, posts do not. */
  residential_cents: number;
  /** A place far from the carrier's depots. */
  remote_cents: number;
  /** One package longer or thicker than the sorting machines accept. */
  oversize: { longest_cm: number; length_plus_girth_cm: number; amount_cents: number };
  extras: { signature: number; adult_signature: number; saturday_delivery: number };
  /** Percent of the declared value that covering it costs, with a minimum. */
  protection: { percent: number; minimum_cents: number };
  services: readonly ServiceTariff[];
  /** Military post offices (states AA, AE, AP) are served by the Postal Service alone. */
  serves_military: boolean;
  /** Posts examine a void request before they refund; couriers refund at once. */
  refunds_at_once: boolean;
}

export interface ServiceTariff {
  /** The carrier's own code, as on the wire. */
  code: string;
  /** As printed on labels; by country of origin where one code has two names. */
  name: string | { CA: string; US: string };
  moves: "ground" | "air";
  max_weight_grams: number;
  /** Whether it reaches the far north, islands and mountain towns at all. */
  serves_remote: boolean;
  extras: readonly ("protection" | "signature" | "adult_signature" | "saturday_delivery")[];
  lanes: readonly LaneTariff[];
}

export interface LaneTariff {
  from: "CA" | "US";
  /** `world` is every country but Canada and the United States. */
  to: "CA" | "US" | "world";
  /** The first kilogram (from the United States: the first two pounds) in the nearest zone. */
  start_cents: number;
  /** Added for each zone farther. */
  zone_cents: number;
  /** Each further half kilogram (pound) in the nearest zone, and what each zone adds to that. */
  step_cents: number;
  step_zone_cents: number;
  /** Business days: to the nearest place, to the farthest, and how far one day goes. */
  days: { fastest: number; slowest: number; km_a_day: number };
}

/** `lane("CA→US", [start, zone, step, step per zone], [fastest, slowest, km a day])` in the order of LaneTariff. */
export function lane(
  route: `${"CA" | "US"}→${"CA" | "US" | "world"}`,
  prices: readonly [number, number, number, number],
  days: readonly [number, number, number],
): LaneTariff {
  const [from, to] = route.split("→") as [LaneTariff["from"], LaneTariff["to"]];
  const [start_cents, zone_cents, step_cents, step_zone_cents] = prices;
  const [fastest, slowest, km_a_day] = days;
  return {
    from,
    to,
    start_cents,
    zone_cents,
    step_cents,
    step_zone_cents,
    days: { fastest, slowest, km_a_day },
  };
}
