import type { ReactNode } from "react";
import { useFormKey } from "../../form-key.ts";
import { useFormDraft } from "../../form-draft.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import { settingWords } from "./words.ts";

interface Props<Typed> {
  /** The name under which its Idempotency-Key and what is typed are stored. */
  form: string;
  /** What it begins with: the same object until another entry is edited. */
  start: Typed;
  title: string;
  size?: "lg";
  onSend: (typed: Typed, options: { idempotencyKey: string }) => Promise<unknown>;
  onSaved: () => Promise<void>;
  onClose: () => void;
  children: (typed: Typed, change: (changes: Partial<Typed>) => void) => ReactNode;
}

/** The form of one entry of a list, new or changed. It closes once the entry is saved. */
export function EditDialog<Typed>(props: Props<Typed>) {
  const { form, start, title, size, onSend, onSaved, onClose, children } = props;
  const words = useWords(settingWords);
  const key = useFormKey(form);
  const { value: typed, change, drop } = useFormDraft<Typed>(form, start);
  const submit = async () => {
    await key.send((idempotencyKey) => onSend(typed, { idempotencyKey }));
    drop();
    toast(words.saved);
    onClose();
    await onSaved();
  };
  return (
    <Dialog title={title} isOpen onOpenChange={onClose} {...(size ? { size } : {})}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            {children(typed, change)}
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
