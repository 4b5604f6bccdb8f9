/** A rule's place among those of its trigger. */
export interface Placed {
  id: string;
  priority: number;
}

const gap = 10;

/**
 * The priorities to change so that the rule at `from` stands at `to`: that of the moved one alone where there is
 * room between its new neighbours, else those of the whole list, in steps that leave room.
 */
export function moved(rules: readonly Placed[], from: number, to: number): Placed[] {
  const next = [...rules];
  const [rule] = next.splice(from, 1);
  if (!rule || from === to) return [];
  next.splice(to, 0, rule);
  const before = next[to - 1]?.priority;
  const after = next[to + 1]?.priority;
  const priority = between(before, after);
  if (priority !== null) return [{ id: rule.id, priority }];
  return next
    .map(({ id }, index) => ({ id, priority: (index + 1) * gap }))
    .filter((each) => rules.find(({ id }) => id === each.id)!.priority !== each.priority);
}

function between(before: number | undefined, after: number | undefined): number | null {
  if (after === undefined) return (before ?? 0) + gap;
  const low = before ?? Math.max(-1, after - 2 * gap);
  const middle = Math.floor((low + after) / 2);
  return middle > low && middle < after ? middle : null;
}
