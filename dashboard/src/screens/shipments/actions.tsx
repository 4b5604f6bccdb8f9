import type { Shipment } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { useMay } from "../../session.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { isVoidable } from "./chosen.ts";
import { printLabel } from "./print-label.ts";
import { shipmentWords } from "./words.ts";

const VoidLabel = lazy(() => import("./void-label.tsx"));
const DeleteDraft = lazy(() => import("./delete-draft.tsx"));

/** What the shipment's state and the person's role allow. */
export function Actions({ shipment }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  const may = useMay();
  const [dialog, setDialog] = useState<"void" | "delete" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      {shipment.status === "draft" && may(["shipments:write"]) && (
        <Button icon="trash" onPress={() => setDialog("delete")}>
          {words.delete}
        </Button>
      )}
      {isVoidable(shipment) && may(["shipments:void"]) && (
        <Button icon="ban" onPress={() => setDialog("void")}>
          {words.voidOne}
        </Button>
      )}
      {shipment.label_url && (
        <Button variant="primary" icon="printer" onPress={() => void printLabel(waybill, shipment)}>
          {words.printLabel}
        </Button>
      )}
      <Suspense fallback={null}>
        {dialog === "void" && <VoidLabel shipment={shipment} onClose={close} />}
        {dialog === "delete" && <DeleteDraft shipment={shipment} onClose={close} />}
      </Suspense>
    </>
  );
}
