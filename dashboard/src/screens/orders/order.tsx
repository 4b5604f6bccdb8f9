import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Order } from "@waybill/sdk";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { addressLine, placeOf } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { usePathPart } from "../../url.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { OrderBadge } from "./order-badge.tsx";
import { isShippable, leftOf, orderQuery } from "./queries.ts";
import { ShipOrder } from "./ship-order.tsx";
import { orderWords } from "./words.ts";

const EditOrder = lazy(() => import("./edit-order.tsx"));

/** One order: what was ordered, what of it is left to ship, and its shipments. */
export default function OrderScreen() {
  const words = useWords(orderWords);
  const environment = useEnvironment();
  const order_id = usePathPart("order_id");
  const { data: order, error, refetch } = useQuery(orderQuery(environment, order_id));
  if (error && problemOf(error).status === 404) return <Empty icon="list" title={words.missing} />;
  if (error)
    return (
      <Page title={words.order}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!order) return <Skeleton lines={12} />;
  return (
    <Page
      title={order.order_number}
      badge={<OrderBadge status={order.status} />}
      description={`${order.to_address.name ?? order.to_address.company ?? ""} · ${placeOf(order.to_address)}`}
      actions={<Actions order={order} />}
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Lines order={order} />
          <Shipments order={order} />
        </div>
        <Details order={order} />
      </div>
    </Page>
  );
}

function Actions({ order }: { order: Order }) {
  const words = useWords(orderWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const may = useMay();
  const key = useFormKey(`order.hold.${order.id}`);
  const [dialog, setDialog] = useState<"ship" | "edit" | null>(null);
  if (!may(["orders:write"])) return null;
  const isHeld = order.status === "on_hold";
  const hold = async () => {
    // Released, the state follows from what was shipped.
    const status = isHeld ? "unfulfilled" : "on_hold";
    await key.send((idempotencyKey) =>
      waybill.orders.update(order.id, { status }, { idempotencyKey }),
    );
    toast(isHeld ? words.released : words.held);
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <>
      {(isHeld || isShippable(order)) && (
        <Form onSubmit={hold} className="flex flex-wrap items-center gap-2">
          {({ isPending }) => (
            <Button type="submit" isPending={isPending}>
              {isHeld ? words.release : words.hold}
            </Button>
          )}
        </Form>
      )}
      <Button icon="pencil" onPress={() => setDialog("edit")}>
        {words.edit}
      </Button>
      {isShippable(order) && (
        <Button variant="primary" icon="box" onPress={() => setDialog("ship")}>
          {words.ship}
        </Button>
      )}
      {dialog === "ship" && <ShipOrder order={order} onClose={() => setDialog(null)} />}
      {dialog === "edit" && (
        <Suspense fallback={null}>
          <EditOrder order={order} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  );
}

function Lines({ order: { items } }: { order: Order }) {
  const words = useWords(orderWords);
  const { lineColumns } = words;
  if (items.length === 0)
    return (
      <Card title={words.lines}>
        <p className="text-soft">{words.noLines}</p>
      </Card>
    );
  return (
    <Card title={words.lines}>
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b border-line text-sm text-soft">
            <th scope="col" className="py-2 pr-3 font-medium">
              {lineColumns.item}
            </th>
            {[lineColumns.ordered, lineColumns.shipped, lineColumns.left].map((name) => (
              <th key={name} scope="col" className="py-2 pl-3 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index} className="border-b border-line last:border-b-0">
              <td className="py-2.5 pr-3">
                <span className="font-medium">{item.title}</span>
                {item.sku && <span className="block text-sm text-faint">{item.sku}</span>}
              </td>
              <td className="tabular py-2.5 pl-3 text-right">{item.quantity}</td>
              <td className="tabular py-2.5 pl-3 text-right">{item.fulfilled_quantity}</td>
              <td className="tabular py-2.5 pl-3 text-right font-semibold">{leftOf(item)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Shipments({ order: { shipments } }: { order: Order }) {
  const words = useWords(orderWords);
  const environment = useEnvironment();
  return (
    <Card title={words.shipments}>
      {shipments.length === 0 ? (
        <p className="text-soft">{words.noShipments}</p>
      ) : (
        <ul className="-mx-2 flex flex-col">
          {shipments.map(({ id, status }) => (
            <li key={id}>
              <Link
                {...{ to: `/${environment}/shipments/${id}` }}
                className="flex items-center gap-2.5 rounded-md px-2 py-1.5 hover:bg-hover"
              >
                <Icon name="box" className="size-4 text-faint" />
                <span className="grow truncate font-mono text-sm">{id}</span>
                <span className="text-sm text-soft">{words.shipmentStatuses[status]}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Details({ order }: { order: Order }) {
  const words = useWords(orderWords);
  const { totals } = order;
  const facts: [string, ReactNode][] = [
    [words.recipient, addressLine(order.to_address)],
    [words.placed, <Moment key="placed" at={order.placed_at} />],
    [words.source, words.sources[order.source]],
    [words.requested, order.requested_service],
    [
      words.total,
      totals.total === null ? null : (
        <Money key="total" amount={totals.total} currency={totals.currency} />
      ),
    ],
    [words.notes, order.notes],
  ];
  return (
    <Card title={words.details}>
      <dl className="flex flex-col gap-3">
        {facts
          .filter(([, value]) => value !== null && value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt className="text-sm text-faint">{name}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}
