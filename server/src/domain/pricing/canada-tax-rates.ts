/**
 * Canada's taxes on the carriage of goods, by the province where it ends. Each row replaces the
 * province's earlier ones from its day on; a new rate is a new row, never an edit.
 *
 * PST of British Columbia, Saskatchewan and Manitoba has no rows, because those taxes fall on goods
 * and on listed services, and the carriage of goods is not among them. QST does apply: it has the
 * same base as the GST. A harmonised tax (HST) contains the federal 5 %.
 */
interface TaxRegime {
  province_code: string;
  /** The first day on which it applies, `YYYY-MM-DD`. */
  valid_from: string;
  taxes: readonly { name: "GST" | "HST" | "QST"; percent: number }[];
}

const gst = { name: "GST", percent: 5 } as const;
const qst = { name: "QST", percent: 9.975 } as const;
const hst = (percent: number) => ({ name: "HST", percent }) as const;

/** Ascending by day within each province. */
export const canadaTaxRates: readonly TaxRegime[] = [
  { province_code: "AB", valid_from: "2008-01-01", taxes: [gst] },
  { province_code: "BC", valid_from: "2010-07-01", taxes: [hst(12)] },
  { province_code: "BC", valid_from: "2013-04-01", taxes: [gst] },
  { province_code: "MB", valid_from: "2008-01-01", taxes: [gst] },
  { province_code: "NB", valid_from: "2008-01-01", taxes: [hst(13)] },
  { province_code: "NB", valid_from: "2016-07-01", taxes: [hst(15)] },
  { province_code: "NL", valid_from: "2008-01-01", taxes: [hst(13)] },
  { province_code: "NL", valid_from: "2016-07-01", taxes: [hst(15)] },
  { province_code: "NS", valid_from: "2010-07-01", taxes: [hst(15)] },
  { province_code: "NS", valid_from: "2025-04-01", taxes: [hst(14)] },
  { province_code: "NT", valid_from: "2008-01-01", taxes: [gst] },
  { province_code: "NU", valid_from: "2008-01-01", taxes: [gst] },
  { province_code: "ON", valid_from: "2010-07-01", taxes: [hst(13)] },
  { province_code: "PE", valid_from: "2013-04-01", taxes: [hst(14)] },
  { province_code: "PE", valid_from: "2016-10-01", taxes: [hst(15)] },
  { province_code: "QC", valid_from: "2013-01-01", taxes: [gst, qst] },
  { province_code: "SK", valid_from: "2008-01-01", taxes: [gst] },
  { province_code: "YT", valid_from: "2008-01-01", taxes: [gst] },
];
