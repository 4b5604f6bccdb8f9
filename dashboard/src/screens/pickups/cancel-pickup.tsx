import { useQueryClient } from "@tanstack/react-query";
import type { Pickup } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { pickupWords } from "./words.ts";

/** Calls the carriers of a pickup off. */
export function CancelPickup({ pickup, onClose }: { pickup: Pickup; onClose: () => void }) {
  const words = useWords(pickupWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`pickup.cancel.${pickup.id}`);
  const submit = async () => {
    await key.send((idempotencyKey) => waybill.pickups.cancel(pickup.id, { idempotencyKey }));
    toast(words.cancelled);
    onClose();
    await client.invalidateQueries({ queryKey: [environment, "pickups"] });
  };
  return (
    <Dialog title={words.cancelTitle} role="alertdialog" size="sm" isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.cancelText}</p>
            <DialogActions>
              <Button onPress={onClose}>{words.keep}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.cancel}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
