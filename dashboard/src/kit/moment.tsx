import { createContext, useContext } from "react";
import { regionOf, useLocale } from "../words/locale.tsx";

/** The account's time zone, in which all times are shown. */
export const TimeZone = createContext<string | undefined>(undefined);

type Form = "date" | "time" | "both" | "relative";

const forms: Record<"date" | "time" | "both" | "exact", Intl.DateTimeFormatOptions> = {
  date: { dateStyle: "medium" },
  time: { timeStyle: "short" },
  both: { dateStyle: "medium", timeStyle: "short" },
  exact: { dateStyle: "full", timeStyle: "long" },
};

interface Props {
  at: string | null | undefined;
  form?: Form;
}

/** A moment in the account's time zone; the title has it to the second, with the zone. */
export function Moment({ at, form = "both" }: Props) {
  const { locale } = useLocale();
  const timeZone = useContext(TimeZone);
  if (!at) return <span className="text-faint">–</span>;
  const region = regionOf(locale);
  const date = new Date(at);
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(region, { ...options, timeZone }).format(date);
  const text = form === "relative" ? relative(date, region) : show(forms[form]);
  return (
    <time dateTime={at} title={show(forms.exact)} className="tabular whitespace-nowrap">
      {text}
    </time>
  );
}

/** A calendar day ("2026-11-24"), which no time zone moves. */
export function Day({ on }: { on: string | null | undefined }) {
  const { locale } = useLocale();
  if (!on) return <span className="text-faint">–</span>;
  return (
    <time dateTime={on} className="tabular whitespace-nowrap">
      {formatDay(on, regionOf(locale), "medium")}
    </time>
  );
}

/** A calendar day as the language writes it, with its weekday unless it is to be short. */
export function formatDay(on: string, region: string, style: "full" | "medium" = "full"): string {
  return new Intl.DateTimeFormat(region, { dateStyle: style, timeZone: "UTC" }).format(
    new Date(`${on.slice(0, 10)}T00:00:00Z`),
  );
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Infinity],
];

function relative(date: Date, region: string): string {
  let amount = (date.getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(region, { numeric: "auto" });
  for (const [unit, size] of units) {
    if (Math.abs(amount) < size) return format.format(Math.round(amount), unit);
    amount /= size;
  }
  return "";
}
