import type { ReactNode } from "react";
import { useEnvironment } from "../../environment.ts";
import { Reasons } from "../../kit/reasons.tsx";
import { nameOf, type Chosen } from "./chosen.ts";

interface Props {
  title: string;
  shipments: readonly { shipment: Chosen; why: ReactNode }[];
}

/** Shipments to which something was not done, each with the reason. */
export function Refused({ title, shipments }: Props) {
  const environment = useEnvironment();
  return (
    <Reasons
      title={title}
      lines={shipments.map(({ shipment, why }) => ({
        id: shipment.id,
        name: nameOf(shipment),
        href: `/app/${environment}/shipments/${shipment.id}`,
        reference: shipment.reference,
        why,
      }))}
    />
  );
}
