export type Variant = "primary" | "plain" | "quiet" | "danger";
export type Size = "md" | "sm" | "icon";

const base =
  "inline-flex shrink-0 cursor-pointer items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium select-none transition-colors disabled:cursor-default disabled:opacity-50";

const variants: Record<Variant, string> = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-hover",
  plain: "border-line bg-surface text-ink shadow-card hover:bg-hover pressed:bg-pressed",
  quiet:
    "border-transparent bg-transparent text-soft hover:bg-hover hover:text-ink pressed:bg-pressed",
  danger: "border-transparent bg-danger text-on-accent hover:bg-danger-hover",
};

const sizes: Record<Size, string> = {
  md: "h-9 px-3.5 text-base",
  sm: "h-8 px-2.5 text-sm",
  icon: "size-8",
};

/** The classes of what looks like a button: buttons, and links that act like one. */
export function buttonStyle({
  variant = "plain",
  size = "md",
}: {
  variant?: Variant;
  size?: Size;
}) {
  return `${base} ${variants[variant]} ${sizes[size]}`;
}
