import { regionOf, useLocale } from "../words/locale.tsx";

const formats = new Map<string, Intl.NumberFormat>();

/** An amount as the language writes it, with its currency. The number is the API's, which has done the sums. */
export function formatMoney(amount: number, currency: string, region: string): string {
  const key = `${region} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(region, {
      style: "currency",
      currency,
      currencyDisplay: "symbol",
    });
    formats.set(key, format);
  }
  const text = format.format(amount);
  // In Canada "$" alone means Canadian dollars; the code says so to readers elsewhere.
  return text.includes(currency.slice(0, 2)) ? text : `${text} ${currency}`;
}

interface Props {
  amount: number | null | undefined;
  currency: string;
  /** In a table whose heading has the currency. */
  isBare?: boolean;
  className?: string;
}

/** An amount of money; a dash where there is none. */
export function Money({ amount, currency, isBare, className = "" }: Props) {
  const { locale } = useLocale();
  if (amount === null || amount === undefined) return <span className="text-faint">–</span>;
  const text = formatMoney(amount, currency, regionOf(locale));
  return (
    <span className={`tabular whitespace-nowrap ${className}`}>
      {isBare ? text.replace(` ${currency}`, "") : text}
    </span>
  );
}
