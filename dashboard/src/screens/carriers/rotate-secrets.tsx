import type { CarrierConnection, CatalogueCarrier } from "@waybill/sdk";
import { useState } from "react";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { ConnectionFields, filledOf, type FieldTexts } from "./connection-fields.tsx";
import { carrierWords } from "./words.ts";

interface Props {
  carrier: CatalogueCarrier;
  connection: CarrierConnection;
  onSaved: () => Promise<unknown>;
  onClose: () => void;
}

/** New secrets in the place of a connection's, once the carrier has accepted them. */
export default function RotateSecrets({ carrier, connection, onSaved, onClose }: Props) {
  const words = useWords(carrierWords);
  const { carrierConnections } = useWaybill();
  const key = useFormKey(`connection.rotate.${connection.id}`);
  const [secrets, setSecrets] = useState<FieldTexts>({});
  const submit = async () => {
    const body = { secrets: filledOf(secrets) };
    await key.send((idempotencyKey) =>
      carrierConnections.rotate(connection.id, body, { idempotencyKey }),
    );
    toast(words.saved);
    onClose();
    await onSaved();
  };
  return (
    <Dialog title={words.rotateTitle(connection.name)} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.rotateText}</p>
            <ConnectionFields
              carrier={carrier}
              group="secrets"
              texts={secrets}
              onChange={setSecrets}
            />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.rotate}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
