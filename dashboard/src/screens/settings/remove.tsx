import { Confirm } from "../../kit/confirm.tsx";
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
    <Confirm
      title={words.removeTitle(name)}
      action={words.remove}
      keep={words.cancel}
      onConfirm={submit}
      onClose={onClose}
    >
      {words.removeText}
    </Confirm>
  );
}
