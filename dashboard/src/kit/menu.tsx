import type { ReactNode, RefObject } from "react";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
  type MenuItemProps,
} from "react-aria-components/Menu";
import { Separator } from "react-aria-components/Separator";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";
import { itemStyle, Popover } from "./popover.tsx";

interface Props {
  /** The button that opens it. */
  trigger: ReactNode;
  label: string;
  children: ReactNode;
  placement?: "bottom start" | "bottom end" | "top start" | "right bottom";
}

/** Actions behind a button. */
export function Menu({ trigger, label, children, placement = "bottom end" }: Props) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover placement={placement} className="min-w-48">
        <AriaMenu aria-label={label} className="outline-none">
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

interface PopoverProps extends Omit<Props, "trigger"> {
  triggerRef: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** The open menu alone, for a button elsewhere that opens it. */
export function MenuPopover({ triggerRef, onClose, label, children, placement }: PopoverProps) {
  return (
    <Popover
      triggerRef={triggerRef}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      placement={placement ?? "bottom end"}
      className="min-w-48"
    >
      <AriaMenu aria-label={label} autoFocus="first" onClose={onClose} className="outline-none">
        {children}
      </AriaMenu>
    </Popover>
  );
}

interface ItemProps extends Omit<MenuItemProps, "children" | "className"> {
  icon?: IconName;
  children: string;
  /** The key that does the same. */
  shortcut?: string;
  isDanger?: boolean;
}

/** One action of a menu, or a link, by `href`. */
export function MenuItem({ icon, children, shortcut, isDanger, ...props }: ItemProps) {
  return (
    <AriaMenuItem
      {...props}
      textValue={children}
      className={`${itemStyle} ${isDanger ? "text-danger" : ""}`}
    >
      {icon && <Icon name={icon} className={`size-4 ${isDanger ? "" : "text-faint"}`} />}
      <span className="grow">{children}</span>
      {shortcut && <kbd className="text-xs text-faint">{shortcut}</kbd>}
    </AriaMenuItem>
  );
}

/** A line between groups of a menu's actions. */
export function MenuSeparator() {
  return <Separator className="mx-1 my-1 border-t border-line" />;
}
