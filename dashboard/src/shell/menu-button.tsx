import {
  Suspense,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  type RefObject,
} from "react";
import { Button } from "react-aria-components/Button";

export interface MenuItemsProps {
  /** The button that it is placed at. */
  triggerRef: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

interface Props {
  className: string;
  children: ReactNode;
  /** The menu's items, a lazy component: menus are an eighth of the first load, and seldom opened. */
  items: ComponentType<MenuItemsProps>;
  /** Begins to load the items; called when the button is likely to be pressed. */
  preload: () => unknown;
}

/** A button of the frame that opens a menu, whose code is loaded when the pointer or the focus comes near. */
export function MenuButton({ className, children, items: Items, preload }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={className}
        onPress={() => setOpen(true)}
        onHoverStart={() => void preload()}
        onFocus={() => void preload()}
      >
        {children}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Items triggerRef={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
