import type { Shipment } from "@waybill/sdk";
import { Card } from "../../kit/card.tsx";
import { Money } from "../../kit/money.tsx";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

const cell = "px-5 py-2.5 align-top";
const head = "px-5 py-2 text-left text-sm font-medium text-soft";

/** What is sent: parcels or handling units, and the goods that customs see. */
export function Parcels({ shipment }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  const numbers = new Intl.NumberFormat(regionOf(useLocale().locale), { maximumFractionDigits: 4 });
  const sizeOf = (sides: readonly (number | null)[]) =>
    sides.map((side) => numbers.format(side ?? 0)).join(" × ");
  const parcels = shipment.packages.map((each) => ({
    key: each.id,
    ...each,
    contents: each.package_contents,
  }));
  const units = shipment.handling_units.map((each, index) => ({
    key: String(index),
    ...each,
    contents: `${each.quantity} × ${each.description}`,
  }));
  return (
    <>
      <Card title={units.length > 0 ? words.units : words.parcels} isFlush>
        <div className="overflow-x-auto pb-2">
          <table className="w-full">
            <thead>
              <tr className="border-b border-line">
                <th scope="col" className={head}>
                  {words.contents}
                </th>
                <th scope="col" className={head}>
                  {words.weight}
                </th>
                <th scope="col" className={head}>
                  {words.size}
                </th>
              </tr>
            </thead>
            <tbody>
              {[...units, ...parcels].map((each) => (
                <tr key={each.key} className="border-b border-line last:border-b-0">
                  <td className={cell}>{each.contents ?? <span className="text-faint">–</span>}</td>
                  <td
                    className={`${cell} tabular whitespace-nowrap`}
                  >{`${numbers.format(each.weight)} ${each.weight_unit}`}</td>
                  <td className={`${cell} tabular whitespace-nowrap`}>
                    {each.length ? (
                      `${sizeOf([each.length, each.width, each.height])} ${each.size_unit}`
                    ) : (
                      <span className="text-faint">–</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      {shipment.items.length > 0 && <Goods items={shipment.items} />}
    </>
  );
}

function Goods({ items }: { items: Shipment["items"] }) {
  const words = useWords(shipmentWords);
  return (
    <Card title={words.customs} isFlush>
      <div className="overflow-x-auto pb-2">
        <table className="w-full">
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className={head}>
                {words.contents}
              </th>
              <th scope="col" className={head}>
                {words.hsCode}
              </th>
              <th scope="col" className={head}>
                {words.origin}
              </th>
              <th scope="col" className={`${head} text-right`}>
                {words.value}
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item, index) => (
              <tr key={index} className="border-b border-line last:border-b-0">
                <td className={cell}>{`${item.quantity} × ${item.title}`}</td>
                <td className={`${cell} tabular`}>
                  {item.hs_code ?? <span className="text-faint">–</span>}
                </td>
                <td className={cell}>
                  {item.country_of_origin ?? <span className="text-faint">–</span>}
                </td>
                <td className={`${cell} text-right`}>
                  <Money amount={item.value} currency={item.currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
