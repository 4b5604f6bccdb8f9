export type Tone = "neutral" | "info" | "good" | "warn" | "danger" | "accent";

const tones: Record<Tone, string> = {
  neutral: "bg-hover text-soft",
  info: "bg-info-wash text-info",
  good: "bg-good-wash text-good",
  warn: "bg-warn-wash text-warn",
  danger: "bg-danger-wash text-danger",
  accent: "bg-accent-wash text-accent",
};

/** A state, as a word on a ground of its colour. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: string }) {
  return (
    <span
      className={`inline-flex h-5.5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      <span className="size-1.5 rounded-full bg-current opacity-80" aria-hidden="true" />
      {children}
    </span>
  );
}
