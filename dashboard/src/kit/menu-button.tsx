import { Suspense, useRef, useState, type ReactNode, type RefObject } from "react";
import { Button } from "react-aria-components/Button";

/** What a menu needs that was opened by a button elsewhere: the props of `MenuPopover`. */
export interface MenuItemsProps {
  triggerRef: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

interface Props {
  className: string;
  children: ReactNode;
  "aria-label"?: string;
  /** Draws the menu, by a lazy component. */
  renderItems: (props: MenuItemsProps) => ReactNode;
  /** Begins to load that component; called when the button is likely to be pressed. */
  preload: () => unknown;
}

/**
 * A button whose menu is loaded when the pointer or the focus comes near: menus are a fifth of a screen's
 * program, and seldom opened.
 */
export function MenuButton({ className, children, renderItems, preload, ...props }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        {...props}
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
          {renderItems({ triggerRef: button, onClose: () => setOpen(false) })}
        </Suspense>
      )}
    </>
  );
}
