import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import { settingWords } from "./words.ts";

interface Props {
  name: string;
  onRemove: () => Promise<unknown>;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something of the book is deleted. */
export function Remove({ name, onRemove, onRemoved, onClose }: Props) {
  const words = useWords(settingWords);
  const submit = async () => {
    await onRemove();
    toast(words.removed);
    onClose();
    await onRemoved();
  };
  return (
    <Dialog
      title={words.removeTitle(name)}
      role="alertdialog"
      size="sm"
      isOpen
      onOpenChange={onClose}
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.removeText}</p>
            <DialogActions>
              <Button onPress={onClose}>{words.cancel}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.remove}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
