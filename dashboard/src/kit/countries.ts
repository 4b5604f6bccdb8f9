import type { Choice } from "./select.tsx";

const codes =
  "CA US AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CD CF CG CH CI CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NZ OM PA PE PF PG PH PK PL PM PR PT PW PY QA RE RO RS RW SA SB SC SE SG SI SK SL SM SN SR SS ST SV SX SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG UY UZ VA VC VE VG VI VN VU WS YE YT ZA ZM ZW";

/** Every country by its name in the language: Canada and the United States first, where most parcels go. */
export function countryChoices(region: string): Choice[] {
  const names = new Intl.DisplayNames(region, { type: "region" });
  const [canada, usa, ...rest] = codes.split(" ").map((id) => ({ id, label: names.of(id) ?? id }));
  return [
    canada!,
    usa!,
    ...rest.sort((one, other) => one.label.localeCompare(other.label, region)),
  ];
}
