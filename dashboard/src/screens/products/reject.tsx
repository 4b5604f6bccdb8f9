import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { productWords } from "./words.ts";

interface Props {
  sku: string;
  onClose: () => void;
  onChanged: () => Promise<void>;
}

/** Rejects what customs would be told, with the reason. */
export function Reject({ sku, onClose, onChanged }: Props) {
  const words = useWords(productWords);
  const waybill = useWaybill();
  const key = useFormKey(`product.reject.${useEnvironment()}.${sku}`);
  const [reason, setReason] = useState("");
  const submit = async () => {
    await key.send((idempotencyKey) =>
      waybill.products.rejectClassification(sku, { reason }, { idempotencyKey }),
    );
    toast(words.rejected(sku));
    onClose();
    await onChanged();
  };
  return (
    <Dialog title={words.rejectTitle(sku)} isOpen onOpenChange={onClose} size="sm">
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <TextField
              label={words.rejectReason}
              name="reason"
              value={reason}
              onChange={setReason}
              rows={3}
              autoFocus
            />
            <DialogActions>
              <Button onPress={onClose}>{words.keep}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.reject}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
