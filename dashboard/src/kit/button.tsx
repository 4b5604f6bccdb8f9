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

/** While it is pending it keeps its place and its focus, shows that it works, and takes no further press. */
export function Button({ variant, size, icon, children, className = "", ...props }: Props) {
  return (
    <AriaButton {...props} className={`${buttonStyle({ variant, size })} ${className}`}>
      {props.isPending ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}
