import type { Shipment } from "@waybill/sdk";
import { Card } from "../../kit/card.tsx";
import { Icon } from "../../kit/icon.tsx";
import { ownAddress } from "../../print/frame.ts";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

/** The documents of a shipment, each to be opened. */
export function Documents({ shipment: { documents, label_status } }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  const isPending = label_status === "pending";
  if (documents.length === 0 && !isPending) return null;
  return (
    <Card title={words.documents}>
      {isPending && <p className="text-sm text-faint">{words.labelPending}</p>}
      <ul className="-mx-2 flex flex-col">
        {documents.map(({ type, format, url }) => (
          <li key={url}>
            <a
              href={ownAddress(url)}
              target="_blank"
              rel="noopener"
              className="flex items-center gap-2.5 rounded-md px-2 py-1.5 hover:bg-hover"
            >
              <Icon name="printer" className="size-4 text-faint" />
              <span className="grow">{words.documentTypes[type]}</span>
              <span className="text-sm text-faint">{format.toUpperCase()}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
