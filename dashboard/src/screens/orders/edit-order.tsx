import { useQueryClient } from "@tanstack/react-query";
import type { Body, Order } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { AddressFields } from "../../kit/address-fields.tsx";
import { fromDraft, toDraft } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { orderWords } from "./words.ts";

interface Props {
  order: Order;
  onClose: () => void;
}

/** Changes where the order goes, and its notes. Shipments that were made of it before keep what they have. */
export default function EditOrder({ order, onClose }: Props) {
  const words = useWords(orderWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`order.edit.${order.id}`);
  const [address, setAddress] = useState(() => toDraft(order.to_address));
  const [notes, setNotes] = useState(order.notes ?? "");
  const submit = async () => {
    const body = { to_address: fromDraft(address), notes: notes.trim() || null };
    await key.send((idempotencyKey) =>
      waybill.orders.update(order.id, body as Body<"updateOrder">, { idempotencyKey }),
    );
    toast(words.edited);
    onClose();
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <Dialog title={words.editTitle} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            {order.shipments.length > 0 && <p className="text-soft">{words.editText}</p>}
            <AddressFields path="to_address" value={address} onChange={setAddress} />
            <TextField
              label={words.notes}
              name="notes"
              isOptional
              rows={3}
              value={notes}
              onChange={setNotes}
            />
            <DialogActions>
              <Button onPress={onClose}>{words.cancel}</Button>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.save}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
