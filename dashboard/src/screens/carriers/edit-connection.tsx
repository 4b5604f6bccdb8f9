import type { CarrierConnection, CatalogueCarrier } from "@waybill/sdk";
import { useState } from "react";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { ConnectionFields, filledOf, type FieldTexts } from "./connection-fields.tsx";
import { carrierWords } from "./words.ts";

interface Props {
  carrier: CatalogueCarrier;
  /** Null for a new one. */
  connection: CarrierConnection | null;
  onSaved: () => Promise<unknown>;
  onClose: () => void;
}

/**
 * A connection with a carrier: its name and fields, and the secrets of a new one. What is typed is kept nowhere, since
 * secrets are among it.
 */
export default function EditConnection({ carrier, connection, onSaved, onClose }: Props) {
  const words = useWords(carrierWords);
  const { carrierConnections } = useWaybill();
  const key = useFormKey(`connection.${connection?.id ?? carrier.code}`);
  const [name, setName] = useState(connection?.name ?? "");
  const [values, setValues] = useState<FieldTexts>(connection?.values ?? {});
  const [secrets, setSecrets] = useState<FieldTexts>({});
  const [is_default, setDefault] = useState(false);
  const submit = async () => {
    const body = { name, values: filledOf(values) };
    await key.send((idempotencyKey) =>
      connection
        ? carrierConnections.update(connection.id, body, { idempotencyKey })
        : carrierConnections.create(
            { ...body, carrier: carrier.code, secrets: filledOf(secrets), is_default },
            { idempotencyKey },
          ),
    );
    toast(words.saved);
    onClose();
    await onSaved();
  };
  return (
    <Dialog
      title={connection ? words.editTitle(connection.name) : words.newTitle(carrier.name)}
      isOpen
      onOpenChange={onClose}
      size="lg"
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <TextField
              label={words.name}
              name="name"
              description={words.nameNote}
              autoFocus
              value={name}
              onChange={setName}
            />
            <ConnectionFields
              carrier={carrier}
              group="values"
              texts={values}
              onChange={setValues}
            />
            {!connection && (
              <>
                <p className="text-soft">{words.secretsNote}</p>
                <ConnectionFields
                  carrier={carrier}
                  group="secrets"
                  texts={secrets}
                  onChange={setSecrets}
                />
                <Checkbox
                  isSelected={is_default}
                  onChange={setDefault}
                  description={words.asDefaultNote}
                >
                  {words.asDefault}
                </Checkbox>
              </>
            )}
            <DialogActions>
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
