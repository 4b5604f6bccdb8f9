import { useQueryClient } from "@tanstack/react-query";
import type { Token } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm } from "../../kit/confirm.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Select } from "../../kit/select.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useStrong } from "../../strong.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { tokensQuery } from "./queries.ts";
import { tokenWords } from "./words.ts";

interface Props {
  token: Token;
  onClose: () => void;
}

/** A new token in the place of another, which works on for a while. */
export function Rotate({ token, onClose, onMade }: Props & { onMade: (text: string) => void }) {
  const words = useWords(tokenWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`token.rotate.${token.id}`);
  const strong = useStrong();
  const [seconds, setSeconds] = useState("86400");
  const submit = async () => {
    const body = { overlap_seconds: Number(seconds) };
    const { data } = await strong.run(() =>
      key.send((idempotencyKey) => waybill.tokens.rotate(token.id, body, { idempotencyKey })),
    );
    onClose();
    onMade(data.token);
    await client.invalidateQueries(tokensQuery(environment));
  };
  return (
    <Dialog title={words.rotateTitle} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.rotateText}</p>
            <Select
              label={words.overlap}
              choices={Object.entries(words.overlaps).map(([id, label]) => ({ id, label }))}
              value={seconds}
              onChange={setSeconds}
            />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.rotateAction}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
      {strong.dialog}
    </Dialog>
  );
}

/** Ends a token. */
export function Revoke({ token, onClose }: Props) {
  const words = useWords(tokenWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const strong = useStrong();
  const submit = async () => {
    await strong.run(() => waybill.tokens.revoke(token.id));
    toast(words.revokedToast);
    onClose();
    await client.invalidateQueries(tokensQuery(environment));
  };
  return (
    <Confirm
      title={words.revokeTitle(token.name)}
      action={words.revokeAction}
      keep={words.keep}
      onConfirm={submit}
      onClose={onClose}
      above={strong.dialog}
    >
      {words.revokeText}
    </Confirm>
  );
}
