import type { Shipment } from "@waybill/sdk";
import type { ReactNode } from "react";
import { addressLine } from "../../kit/address.ts";
import { Card } from "../../kit/card.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Moment } from "../../kit/moment.tsx";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

/** The rest of what is known: addresses, codes, dates. */
export function Facts({ shipment }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  const code = (text: string) => (
    <span className="flex items-center gap-1 font-mono text-xs break-all">
      {text} <Copy text={text} />
    </span>
  );
  const facts: [string, ReactNode][] = [
    [words.recipient, <Place key="to" address={shipment.to_address} />],
    [words.from, <Place key="from" address={shipment.from_address} />],
    [
      words.service,
      shipment.carrier && `${shipment.carrier.name} · ${shipment.service_name ?? ""}`,
    ],
    [words.trackingCode, shipment.tracking_code && code(shipment.tracking_code)],
    [words.shipCode, code(shipment.ship_code)],
    [words.reference, shipment.reference],
    [words.tags, shipment.tags.length > 0 ? shipment.tags.join(", ") : null],
    [words.created, <Moment key="created" at={shipment.created_at} />],
    [words.bought, shipment.purchased_at && <Moment at={shipment.purchased_at} />],
    [words.id, code(shipment.id)],
  ];
  return (
    <Card title={words.details}>
      <dl className="flex flex-col gap-3">
        {facts
          .filter(([, value]) => value !== null && value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt className="text-sm text-faint">{name}</dt>
              <dd className="min-w-0">{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

function Place({ address }: { address: Shipment["to_address"] }) {
  return (
    <>
      <span className="font-medium">
        {[address.name, address.company]
          .filter((each, index, all) => each && all.indexOf(each) === index)
          .join(", ")}
      </span>
      <span className="block text-soft">{addressLine(address)}</span>
    </>
  );
}
