import type { Platform } from "../../context.ts";
import { toCents, type Cents } from "../../domain/values/money.ts";
import type { StatementLine } from "../../documents/statement-lines.ts";
import type { StatementRow } from "./store.ts";
import { nextLines, type LineRow } from "./work-store.ts";

// So many lines are drawn before other work runs.
const readAtOnce = 25;

/** A statement's transactions, oldest first, a few at a time. Throws when the process stops. */
export async function* linesOf(
  { db }: Pick<Platform, "db">,
  row: StatementRow,
  signal: AbortSignal,
): AsyncGenerator<StatementLine> {
  for (let after = row.after_sequence; after < row.through_sequence;) {
    signal.throwIfAborted();
    const lines = await nextLines(db, row, { after, limit: readAtOnce });
    for (const line of lines) yield toLine(line);
    const last = lines.at(-1);
    if (!last)
      throw new Error(`the ledger of ${row.account_id} ends before statement ${row.number}`);
    after = last.sequence;
  }
}

function toLine({ sequence: _, taxes, ...line }: LineRow): StatementLine {
  return { ...line, taxes: taxesByKind(line.tax_cents, taxes ?? []) };
}

/**
 * A line's tax by kind, in the proportion of its shipment's price: a refund that keeps a fee returns part of
 * each. The last kind takes the rounding difference.
 */
function taxesByKind(
  taxCents: Cents,
  kinds: readonly { name: string; amount: number }[],
): StatementLine["taxes"] {
  const taxed = kinds.map(({ name, amount }) => ({ name, cents: toCents(amount) }));
  const whole = taxed.reduce((sum, { cents }) => sum + cents, 0);
  if (taxCents === 0) return [];
  if (whole === 0) return [{ name: "Tax on pickups", amount_cents: taxCents }];
  let rest = taxCents;
  return taxed.map(({ name, cents }, place) => {
    const isLast = place === taxed.length - 1;
    const amount_cents = isLast ? rest : Math.round((taxCents * cents) / whole);
    rest -= amount_cents;
    return { name, amount_cents };
  });
}
