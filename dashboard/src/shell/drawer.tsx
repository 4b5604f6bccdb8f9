import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useWords } from "../words/locale.tsx";
import { Sidebar } from "./sidebar.tsx";
import { shellWords } from "./words.ts";

interface Props {
  onClose: () => void;
  onSearch: () => void;
}

/** The side bar over the screen, where there is no room beside it. */
export default function Drawer({ onClose, onSearch }: Props) {
  const words = useWords(shellWords);
  return (
    <ModalOverlay
      isOpen
      onOpenChange={onClose}
      isDismissable
      className="appear fixed inset-0 z-30 bg-scrim lg:hidden"
    >
      <Modal className="h-full w-68 max-w-[85vw] border-r border-line bg-canvas shadow-raised">
        <Dialog aria-label={words.mainNavigation} className="h-full outline-none">
          <Sidebar onSearch={onSearch} onChosen={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
