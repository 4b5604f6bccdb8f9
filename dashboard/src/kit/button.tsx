import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button";
import { buttonStyle, type Size, type Variant } from "./button-style.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";
import { Spinner } from "./spinner.tsx";

interface Props extends Omit<ButtonProps, "children" | "className"> {
  variant?: Variant;
  size?: Size;
  icon?: IconName;
  children?: ReactNode;
  className?: string;
}

/**
 * While it is pending it keeps its place and its focus, and shows that it works. React Aria's own pending state
 * leaves an announcement that names a button which may be gone; a form takes no second press by itself.
 */
export function Button({
  variant,
  size,
  icon,
  children,
  className = "",
  isPending = false,
  onPress,
  ...props
}: Props) {
  return (
    <AriaButton
      {...props}
      {...(onPress && !isPending ? { onPress } : {})}
      className={`${buttonStyle({ variant, size })} ${isPending ? "cursor-progress opacity-80" : ""} ${className}`}
    >
      {isPending ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}
