import { useQueryClient } from "@tanstack/react-query";
import type { Shipment } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

interface Props {
  shipments: readonly Shipment[];
  onClose: () => void;
  onDone?: () => void;
}

/** Asks the carriers to take labels back: of one shipment or of several, one after the other. */
export default function VoidLabels({ shipments, onClose, onDone }: Props) {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  const environment = useEnvironment();
  const client = useQueryClient();
  const key = useFormKey(`void.${shipments[0]?.id}.${shipments.length}`);
  const isOne = shipments.length === 1;
  const voidAll = async (form: string) => {
    const refusals: unknown[] = [];
    for (const { id } of shipments) {
      const idempotencyKey = `${form}.${id}`;
      await waybill.shipments
        .void(id, {}, { idempotencyKey })
        .catch((error: unknown) => refusals.push(error));
    }
    // Of a single one, or of all for one reason, the dialog says why.
    if (refusals.length === shipments.length) throw refusals[0];
    return refusals.length;
  };
  const submit = async () => {
    const failed = await key.send(voidAll);
    const done = isOne ? words.voidDone : words.voided(shipments.length - failed, failed);
    toast(done, failed === 0 ? "good" : "danger");
    onClose();
    onDone?.();
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <Confirm
      title={isOne ? words.voidOne : words.voidTitle}
      action={isOne ? words.voidOne : words.voidConfirm}
      keep={words.keep}
      onConfirm={submit}
      onClose={onClose}
    >
      {isOne ? words.voidOneText : words.voidText(shipments.length)}
    </Confirm>
  );
}
