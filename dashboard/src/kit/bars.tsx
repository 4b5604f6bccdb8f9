import { regionOf, useLocale } from "../words/locale.tsx";

export interface Bar {
  key: string;
  label: string;
  value: number;
  /** The value as it is written: an amount, a count. */
  text: string;
}

interface Props {
  label: string;
  bars: readonly Bar[];
  /** What the columns of the table behind the picture are called. */
  heads: { label: string; value: string };
}

const height = 132;

/** Values over days as bars. The same is there as a table, for those who do not see the picture. */
export function Bars({ label, bars, heads }: Props) {
  const { locale } = useLocale();
  const top = Math.max(...bars.map(({ value }) => value), 1);
  const step = 100 / Math.max(bars.length, 1);
  return (
    <figure aria-label={label} lang={regionOf(locale)} className="relative">
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        className="h-33 w-full"
        aria-hidden="true"
      >
        {bars.map(({ key, label: day, value, text }, index) => {
          const size = value === 0 ? 1.5 : Math.max(3, (value / top) * (height - 4));
          return (
            <rect
              key={key}
              x={index * step + step * 0.15}
              y={height - size}
              width={step * 0.7}
              height={size}
              rx="0.6"
              className={value === 0 ? "fill-line" : "fill-accent"}
            >
              <title>{`${day}: ${text}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="mt-1.5 flex justify-between text-xs text-faint" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{heads.label}</th>
              <th scope="col">{heads.value}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, label: day, text }) => (
              <tr key={key}>
                <th scope="row">{day}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
