import type { Product } from "@waybill/sdk";
import { Icon } from "../../kit/icon.tsx";
import { Money } from "../../kit/money.tsx";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { productWords } from "./words.ts";

/** What customs are told of a product, and the checks of its manufacturer. */
export function Facts({ product }: { product: Product }) {
  const words = useWords(productWords);
  const { locale } = useLocale();
  const { customs_description, description, country_of_origin, manufacturer, cusma } = product;
  const { value, currency, weight, weight_unit } = product;
  const region = regionOf(locale);
  const country = new Intl.DisplayNames(region, { type: "region" });
  const amount = new Intl.NumberFormat(region);
  const facts = [
    [words.customs, customs_description ?? description],
    [words.origin, country_of_origin && country.of(country_of_origin)],
    [words.manufacturer, manufacturer],
    [words.weight, weight === null ? null : `${amount.format(weight)} ${weight_unit ?? ""}`],
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {facts.map(([name, text]) => (
          <div key={name} className="min-w-0">
            <dt className="text-sm text-faint">{name}</dt>
            <dd className="line-clamp-4 break-words">{text ?? "–"}</dd>
          </div>
        ))}
        {currency !== null && (
          <div>
            <dt className="text-sm text-faint">{words.value}</dt>
            <dd>
              <Money amount={value} currency={currency} />
            </dd>
          </div>
        )}
      </dl>
      {cusma && cusma.checks.length > 0 && (
        <div>
          <p className="text-sm text-faint">{words.checks}</p>
          <ul lang="en" className="mt-1 flex flex-col gap-1">
            {cusma.checks.map(({ code, passed, message }) => (
              <li key={code} className="flex items-start gap-2">
                <Icon
                  name={passed ? "check" : "close"}
                  className={`mt-0.5 size-4 ${passed ? "text-good" : "text-danger"}`}
                />
                <span>
                  <span className="sr-only">{passed ? words.passed : words.notPassed} </span>
                  {message}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
