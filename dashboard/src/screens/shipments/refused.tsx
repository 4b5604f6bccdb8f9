import type { ReactNode } from "react";
import { useEnvironment } from "../../environment.ts";
import { useWords } from "../../words/locale.tsx";
import { nameOf, type Chosen } from "./chosen.ts";
import { shipmentWords } from "./words.ts";

interface Props {
  title: string;
  shipments: readonly { shipment: Chosen; why: ReactNode }[];
}

/** More lines than these nobody reads, and they would hold the browser up. */
const lines_max = 100;

/** Shipments to which something was not done, each with the reason; they open in a tab, so that the list stays. */
export function Refused({ title, shipments }: Props) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  return (
    <div className="flex flex-col gap-2">
      <p role="alert" className="font-medium">
        {title}
      </p>
      <ul className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {shipments.slice(0, lines_max).map(({ shipment, why }) => (
          <li key={shipment.id} className="px-3 py-2">
            <a
              href={`/app/${environment}/shipments/${shipment.id}`}
              target="_blank"
              rel="noopener"
              className="font-medium text-accent underline-offset-4 hover:underline"
            >
              {nameOf(shipment)}
            </a>
            <span className="text-soft">{shipment.reference && ` · ${shipment.reference}`}</span>
            <div className="text-sm text-soft">{why}</div>
          </li>
        ))}
      </ul>
      {shipments.length > lines_max && (
        <p className="text-sm text-faint">{words.andMore(shipments.length - lines_max)}</p>
      )}
    </div>
  );
}
