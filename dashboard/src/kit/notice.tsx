import type { ReactNode } from "react";
import type { Tone } from "./badge.tsx";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";

const tones: Record<Tone, { style: string; icon: IconName }> = {
  neutral: { style: "bg-hover text-soft", icon: "info" },
  info: { style: "bg-info-wash text-info", icon: "info" },
  good: { style: "bg-good-wash text-good", icon: "check" },
  warn: { style: "bg-warn-wash text-warn", icon: "alert" },
  danger: { style: "bg-danger-wash text-danger", icon: "alert" },
  accent: { style: "bg-accent-wash text-accent", icon: "info" },
};

interface Props {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Something to know before going on, which is no failure. */
export function Notice({ tone = "info", title, children, action }: Props) {
  const { style, icon } = tones[tone];
  return (
    <div role="status" className={`flex items-start gap-2.5 rounded-lg px-3.5 py-2.5 ${style}`}>
      <Icon name={icon} className="mt-0.5 size-4" />
      <div className="min-w-0 grow text-ink">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
}
