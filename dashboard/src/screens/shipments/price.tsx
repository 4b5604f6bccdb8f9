import type { Shipment } from "@waybill/sdk";
import { Card } from "../../kit/card.tsx";
import { Money } from "../../kit/money.tsx";
import { Moment } from "../../kit/moment.tsx";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

/** What was paid, with its parts, and what of it comes back. */
export function Price({ shipment: { selected_rate: rate, cost, refund } }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  if (!rate || !cost)
    return (
      <Card title={words.price}>
        <p className="text-soft">{words.noPrice}</p>
      </Card>
    );
  const lines: [string, number][] = [
    [words.base, rate.base_rate],
    ...rate.surcharges.map(({ name, amount }): [string, number] => [name, amount]),
    ...rate.add_ons
      .filter(({ selected }) => selected)
      .map(({ name, price }): [string, number] => [name, price.subtotal]),
    ...rate.taxes.map(({ name, amount }): [string, number] => [name, amount]),
  ];
  return (
    <Card title={words.price}>
      <dl className="flex flex-col gap-1.5">
        {lines.map(([name, amount]) => (
          <div key={name} className="flex justify-between gap-3 text-soft">
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} currency={rate.currency} />
            </dd>
          </div>
        ))}
        <div className="flex justify-between gap-3 border-t border-line pt-2 text-lg font-semibold">
          <dt>{words.total}</dt>
          <dd>
            <Money amount={cost.total} currency={cost.currency} />
          </dd>
        </div>
        {refund && (
          <div className="flex justify-between gap-3 pt-1">
            <dt>
              {words.refund}{" "}
              <span className="text-sm text-faint">
                <Moment at={refund.resolved_at ?? refund.requested_at} form="date" />
              </span>
            </dt>
            <dd>
              <Money amount={refund.amount} currency={cost.currency} />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
