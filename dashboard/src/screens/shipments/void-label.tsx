import { useQueryClient } from "@tanstack/react-query";
import type { Shipment } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { sendWithKey } from "../../form-key.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

interface Props {
  shipment: Shipment;
  onClose: () => void;
}

/** Asks the carrier to take the label of one shipment back. */
export default function VoidLabel({ shipment: { id }, onClose }: Props) {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  const environment = useEnvironment();
  const client = useQueryClient();
  const submit = async () => {
    await sendWithKey(`void.${id}`, (idempotencyKey) =>
      waybill.shipments.void(id, {}, { idempotencyKey }),
    );
    toast(words.voidDone);
    onClose();
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <Confirm title={words.voidOne} keep={words.keep} onConfirm={submit} onClose={onClose}>
      {words.voidOneText}
    </Confirm>
  );
}
