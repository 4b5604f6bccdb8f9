import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm } from "../../kit/confirm.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Money } from "../../kit/money.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import { adminCall, type Account } from "./queries.ts";
import { operatorWords } from "./words.ts";

interface Props {
  account: Account;
  onClose: () => void;
}

/** Corrects the balance by hand: once for each opening of the form, whatever becomes of the answers. */
export function Adjust({ account, onClose }: Props) {
  const words = useWords(operatorWords);
  const client = useQueryClient();
  const key = useFormKey(`operator.adjust.${account.id}`);
  const [amount, setAmount] = useState(NaN);
  const [description, setDescription] = useState("");
  const submit = async () => {
    const body = { amount: Number.isNaN(amount) ? null : amount, description };
    const path = `/accounts/${account.id}/adjustments`;
    await key.send((each) => adminCall("POST", path, { body, key: each }));
    toast(words.adjusted);
    onClose();
    await client.invalidateQueries({ queryKey: ["operator"] });
  };
  return (
    <Dialog title={words.adjustTitle} isOpen onOpenChange={onClose} size="sm">
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">
              {words.available} <Money amount={account.available} currency={account.currency} />
            </p>
            <NumberField
              label={words.amount}
              name="amount"
              description={words.amountText}
              value={amount}
              onChange={setAmount}
              formatOptions={{ minimumFractionDigits: 2, maximumFractionDigits: 2 }}
              suffix={account.currency}
            />
            <TextField
              label={words.reason}
              name="description"
              description={words.reasonText}
              value={description}
              onChange={setDescription}
            />
            <DialogActions>
              <Button onPress={onClose}>{words.cancel}</Button>
              <Button
                type="submit"
                variant="primary"
                isPending={isPending}
                isDisabled={Number.isNaN(amount) || description.trim() === ""}
              >
                {words.adjust}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Stops the account, or lets it go on. */
export function Suspend({ account, onClose }: Props) {
  const words = useWords(operatorWords);
  const client = useQueryClient();
  const key = useFormKey(`operator.suspend.${account.id}`);
  const isSuspended = account.suspended_at !== null;
  const submit = async () => {
    const body = { suspended: !isSuspended };
    const path = `/accounts/${account.id}`;
    await key.send((each) => adminCall("PATCH", path, { body, key: each }));
    toast(isSuspended ? words.lifted : words.stopped);
    onClose();
    await client.invalidateQueries({ queryKey: ["operator"] });
  };
  return (
    <Confirm
      title={isSuspended ? words.lift : words.suspend}
      keep={words.cancel}
      isHarmless={isSuspended}
      onConfirm={submit}
      onClose={onClose}
    >
      {isSuspended ? words.liftText : words.suspendText}
    </Confirm>
  );
}
