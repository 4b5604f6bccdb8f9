import { Button } from "./button.tsx";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

interface Props {
  isPending: boolean;
  /** The person may look at the form and not change it. */
  isReadOnly?: boolean;
}

/**
 * The end of a form of settings; those who only read it get none. It is not disabled while nothing has changed: a
 * number that is being typed counts as changed only when its field is left, and a disabled button would swallow the
 * press that leaves it.
 */
export function SaveButton({ isPending, isReadOnly = false }: Props) {
  const words = useWords(kitWords);
  if (isReadOnly) return null;
  return (
    <div>
      <Button type="submit" variant="primary" isPending={isPending}>
        {words.save}
      </Button>
    </div>
  );
}
