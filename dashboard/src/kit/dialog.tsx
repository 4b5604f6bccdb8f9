import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Button } from "./button.tsx";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

interface Props {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  size?: "sm" | "md" | "lg";
  /** Only its buttons close it: while it holds what is shown once, or something is being sent. */
  isHeldOpen?: boolean;
  role?: "dialog" | "alertdialog";
}

const widths = { sm: "max-w-md", md: "max-w-xl", lg: "max-w-3xl" };

/** A question or a short form over the screen, which waits behind it. */
export function Dialog({
  title,
  isOpen,
  onOpenChange,
  children,
  size = "md",
  isHeldOpen,
  role,
}: Props) {
  const words = useWords(kitWords);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={!isHeldOpen}
      isKeyboardDismissDisabled={isHeldOpen ?? false}
      className="appear fixed inset-0 z-40 flex items-start justify-center overflow-y-auto bg-scrim p-3 pt-[8vh] sm:p-6 sm:pt-[12vh]"
    >
      <Modal
        className={`w-full ${widths[size]} rounded-xl border border-line bg-surface shadow-raised`}
      >
        <AriaDialog role={role ?? "dialog"} className="outline-none">
          <header className="flex items-center justify-between gap-4 px-5 pt-4">
            <Heading slot="title" className="text-lg font-semibold">
              {title}
            </Heading>
            {!isHeldOpen && (
              <Button
                variant="quiet"
                size="icon"
                icon="close"
                aria-label={words.close}
                onPress={() => onOpenChange(false)}
              />
            )}
          </header>
          <div className="px-5 pt-3 pb-5">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at a dialog's end: the one that acts comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
