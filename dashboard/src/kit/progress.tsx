interface Props {
  label: string;
  done: number;
  total: number;
  /** Of those that are done; they have the colour of a warning. */
  failed?: number;
}

/** How far something is that takes its time. */
export function Progress({ label, done, total, failed = 0 }: Props) {
  const share = (part: number) => `${total === 0 ? 0 : Math.min(100, (100 * part) / total)}%`;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className="flex h-2 w-full overflow-hidden rounded-full bg-pressed"
    >
      <span
        className="bg-accent transition-[width] duration-300"
        style={{ width: share(done - failed) }}
      />
      <span className="bg-warn transition-[width] duration-300" style={{ width: share(failed) }} />
    </div>
  );
}
