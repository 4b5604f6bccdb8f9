import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonStyle, type Size, type Variant } from "./button-style.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";

interface Props {
  /** The path with its environment: `/sandbox/shipments/new`. */
  to: string;
  search?: Record<string, unknown>;
  variant?: Variant;
  size?: Size;
  icon?: IconName;
  children?: ReactNode;
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function LinkButton({ to, search, variant, size, icon, children }: Props) {
  return (
    <Link {...({ to, search } as unknown as LinkProps)} className={buttonStyle({ variant, size })}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}
