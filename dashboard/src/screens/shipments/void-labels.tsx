import { sendWithKey } from "../../form-key.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import type { BulkProps } from "./bulk-bar.tsx";
import { EachDialog } from "./each-dialog.tsx";
import { shipmentWords } from "./words.ts";

/** Asks the carriers to take the labels of several shipments back. */
export default function VoidLabels(props: BulkProps) {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  return (
    <EachDialog
      {...props}
      title={words.voidTitle}
      action={words.voidConfirm}
      keep={words.keep}
      isDanger
      done={words.voided}
      call={({ id }, options) =>
        sendWithKey(`void.${id}`, (idempotencyKey) =>
          waybill.shipments.void(id, {}, { ...options, idempotencyKey }),
        )
      }
    >
      <p className="text-soft">{words.voidText(props.shipments.length)}</p>
    </EachDialog>
  );
}
