import { useQuery } from "@tanstack/react-query";
import type { Shipment } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { Card } from "../../kit/card.tsx";
import { Day, Moment } from "../../kit/moment.tsx";
import { reachableLink } from "../../reachable-link.ts";
import { useWords } from "../../words/locale.tsx";
import { trackingQuery } from "./queries.ts";
import { shipmentWords } from "./words.ts";

/** Where it is: the scans of the carrier, the latest first. */
export function TrackingCard({ shipment }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  const { data } = useQuery(
    trackingQuery(useEnvironment(), shipment.id, shipment.tracking_code !== null),
  );
  if (shipment.tracking_code === null || !data) return null;
  const { events } = data;
  return (
    <Card
      title={words.tracking}
      actions={
        <a
          href={reachableLink(data.public_url)}
          target="_blank"
          rel="noopener"
          className="text-sm text-accent underline-offset-4 hover:underline"
        >
          {words.publicPage}
        </a>
      }
    >
      {data.estimated_delivery_date && data.status !== "delivered" && (
        <p className="mb-3 text-soft">
          {words.expected}: <Day on={data.estimated_delivery_date} />
        </p>
      )}
      {events.length === 0 ? (
        <p className="text-soft">{words.trackingNone}</p>
      ) : (
        <ol className="flex flex-col">
          {events.map((event, index) => (
            <li
              key={event.occurred_at + event.carrier_code}
              className="relative flex gap-3 pb-4 last:pb-0"
            >
              <span
                className={`mt-1.5 size-2 shrink-0 rounded-full ${index === 0 ? "bg-accent" : "bg-control"}`}
              />
              {index < events.length - 1 && (
                <span className="absolute top-4 bottom-0 left-[3.5px] w-px bg-line" />
              )}
              <span className="min-w-0">
                <span className="font-medium">{words.trackingStatuses[event.status]}</span>
                <span className="block text-sm text-soft">
                  {[
                    event.location?.city,
                    event.location?.province_code,
                    event.location?.country_code,
                  ]
                    .filter(Boolean)
                    .join(", ")}
                  {event.location && " · "}
                  <Moment at={event.occurred_at} />
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
