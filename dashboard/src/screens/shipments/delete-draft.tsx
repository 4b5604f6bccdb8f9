import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Shipment } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

/** Removes a draft, after a question, and leads back to the list. */
export default function DeleteDraft({
  shipment,
  onClose,
}: {
  shipment: Shipment;
  onClose: () => void;
}) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const navigate = useNavigate();
  const submit = async () => {
    await waybill.shipments.delete(shipment.id);
    toast(words.deleted);
    // The way back leads past the shipment that is no more.
    await navigate({ to: `/${environment}/shipments` as never, replace: true });
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <Confirm title={words.delete} keep={words.keep} onConfirm={submit} onClose={onClose}>
      {words.deleteText}
    </Confirm>
  );
}
