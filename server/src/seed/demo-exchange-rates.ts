import type { Platform } from "../context.ts";
import { bySystem } from "../domain/accounts/principal.ts";
import { importRates } from "../resources/exchange-rates/service.ts";

/** US dollars in Canadian ones, so that the demo converts: invented, and the same at every installation. */
export async function seedExchangeRates(platform: Platform, since: Date): Promise<void> {
  const valid_from = since.toISOString().slice(0, 10);
  const content = `base,quote,rate,valid_from\nUSD,CAD,1.37,${valid_from}\n`;
  await importRates(platform, { format: "csv", content, by: bySystem("seed") });
}
