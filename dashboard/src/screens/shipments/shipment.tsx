import { useQuery } from "@tanstack/react-query";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { placeOf } from "../../kit/address.ts";
import { usePathPart } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Actions } from "./actions.tsx";
import { BuyDraft } from "./buy-draft.tsx";
import { Documents } from "./documents.tsx";
import { Facts } from "./facts.tsx";
import { Parcels } from "./parcels.tsx";
import { Price } from "./price.tsx";
import { shipmentQuery } from "./queries.ts";
import { StatusBadge } from "./status-badge.tsx";
import { TimelineCard } from "./timeline-card.tsx";
import { TrackingCard } from "./tracking-card.tsx";
import { shipmentWords } from "./words.ts";

/** One shipment: what it is, what it costs, where it is, what happened, and what can be done now. */
export default function ShipmentScreen() {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const shipment_id = usePathPart("shipment_id");
  const { data: shipment, error, refetch } = useQuery(shipmentQuery(environment, shipment_id));
  if (error && problemOf(error).status === 404) return <Empty icon="box" title={words.missing} />;
  if (error)
    return (
      <Page title={words.shipment}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!shipment) return <Skeleton lines={12} />;
  const { to_address, from_address } = shipment;
  const isWaiting = shipment.status === "purchasing" || shipment.status === "purchase_pending";
  return (
    <Page
      title={words.to(to_address.name ?? to_address.company ?? to_address.city)}
      badge={
        <>
          <StatusBadge status={shipment.status} />
          {shipment.on_hold && <Badge tone="warn">{words.onHold}</Badge>}
        </>
      }
      description={`${placeOf(from_address)} → ${placeOf(to_address)}`}
      actions={<Actions shipment={shipment} />}
    >
      {isWaiting && <Notice tone="info">{words.pending}</Notice>}
      {shipment.last_error && shipment.status === "draft" && (
        <Notice tone="danger" title={words.lastError}>
          <span lang="en">{shipment.last_error.message}</span>
        </Notice>
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          {shipment.status === "draft" && !shipment.on_hold && <BuyDraft shipment={shipment} />}
          <Parcels shipment={shipment} />
          <TrackingCard shipment={shipment} />
          <TimelineCard id={shipment.id} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Price shipment={shipment} />
          <Documents shipment={shipment} />
          <Facts shipment={shipment} />
        </div>
      </div>
    </Page>
  );
}
