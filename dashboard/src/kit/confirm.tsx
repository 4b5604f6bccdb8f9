import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Form } from "./form.tsx";

interface Props {
  /** The question, and the button that does it. */
  title: string;
  /** Where the button says something else. */
  action?: string;
  keep: string;
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** The action is not destructive. */
  isHarmless?: boolean;
  /** What opens over it, such as the question for the password. */
  above?: ReactNode;
}

/** Asks once more before something that cannot be taken back. What it throws is shown in the dialog. */
export function Confirm(props: Props) {
  const { title, action, keep, children, onConfirm, onClose, isHarmless, above } = props;
  return (
    <Dialog title={title} role="alertdialog" isOpen onOpenChange={onClose} size="sm">
      <Form onSubmit={onConfirm}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{children}</p>
            <DialogActions>
              <Button onPress={onClose}>{keep}</Button>
              <Button
                type="submit"
                variant={isHarmless ? "primary" : "danger"}
                isPending={isPending}
              >
                {action ?? title}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
      {above}
    </Dialog>
  );
}
