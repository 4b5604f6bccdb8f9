import type { Address } from "../domain/addresses/address.ts";
import type { Cents } from "../domain/values/money.ts";
import { letter, type Mark, type Page } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { streamPdf } from "../drawing/write-pdf.ts";
import { page } from "./form-page.ts";
import { firstTop, laterTop, letterhead, statementHead } from "./statement-head.ts";
import { lineRow, linesHead, type StatementLine } from "./statement-lines.ts";

/** All that a statement prints apart from its lines. */
export interface StatementFacts {
  /** `2026-10`. */
  number: string;
  time_zone: string;
  currency: string;
  created_at: Date;
  account: { id: string; name: string; is_sandbox: boolean; address: Address | null };
  period: { first_day: string; last_day: string };
  opening_cents: Cents;
  closing_cents: Cents;
  /** By kind of transaction; they add up to the closing less the opening balance. */
  totals: { name: string; amount_cents: Cents }[];
  taxes_cents: Cents;
  transaction_count: number;
}

/** The result of a first reading of the lines: where pages end, and the taxes by kind. */
export interface StatementPlan {
  /** How many lines each page has. */
  pages: number[];
  taxes: { name: string; amount_cents: Cents }[];
}

const bottom = page.bottom - 14;

/**
 * Reads the lines once. Throws where they contradict the facts by even a cent: better no statement than
 * a wrong one.
 */
export async function planStatement(
  facts: StatementFacts,
  lines: AsyncIterable<StatementLine>,
): Promise<StatementPlan> {
  const pages = [0];
  const taxes = new Map<string, Cents>();
  let y = firstTop + linesHead.height;
  let [count, balance, taxesCents] = [0, facts.opening_cents, 0];
  for await (const line of lines) {
    const { height } = lineRow(line, facts.time_zone);
    if (y + height > bottom) {
      pages.push(0);
      y = laterTop + linesHead.height;
    }
    y += height;
    pages[pages.length - 1]! += 1;
    count += 1;
    balance += line.amount_cents;
    if (line.balance_after_cents !== balance) throw contradiction(facts, line.id);
    for (const { name, amount_cents } of line.taxes) {
      taxes.set(name, (taxes.get(name) ?? 0) + amount_cents);
      taxesCents += amount_cents;
    }
  }
  const isRight = balance === facts.closing_cents && taxesCents === facts.taxes_cents;
  if (!isRight || count !== facts.transaction_count) throw contradiction(facts, "its end");
  const named = Array.from(taxes, ([name, amount_cents]) => ({ name, amount_cents }));
  return { pages, taxes: named.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function contradiction({ account, number }: StatementFacts, where: string): Error {
  return new Error(
    `the ledger entries of ${account.id} contradict statement ${number} at ${where}`,
  );
}

/** The statement as PDF on letter paper, a page at a time. The same facts and lines give the same bytes. */
export function renderStatement(
  facts: StatementFacts,
  plan: StatementPlan,
  lines: AsyncIterable<StatementLine>,
): AsyncIterable<Uint8Array> {
  return streamPdf(statementPages(facts, plan, lines), {
    title: `Waybill statement ${facts.number}`,
    producer: "Waybill",
    made_at: facts.created_at,
    content: JSON.stringify([facts, plan]),
  });
}

/** The pages as marks. */
export async function* statementPages(
  facts: StatementFacts,
  plan: StatementPlan,
  lines: AsyncIterable<StatementLine>,
): AsyncGenerator<Page> {
  let marks = pageStart(facts, plan, 0);
  let [place, left, y] = [0, plan.pages[0]!, firstTop + linesHead.height];
  for await (const line of lines) {
    if (left === 0) {
      yield { paper: letter, marks };
      place += 1;
      marks = pageStart(facts, plan, place);
      left = plan.pages[place]!;
      y = laterTop + linesHead.height;
    }
    const row = lineRow(line, facts.time_zone);
    marks.push(...row.draw(y));
    y += row.height;
    left -= 1;
  }
  yield { paper: letter, marks };
}

function pageStart(facts: StatementFacts, plan: StatementPlan, place: number): Mark[] {
  const isFirst = place === 0;
  const top = isFirst ? firstTop : laterTop;
  const nothing = text("Nothing changed the balance in this month.", page.left, top, {
    size: 8.5,
    max: page.width,
  });
  return [
    ...letterhead(facts, place, plan.pages.length),
    ...(isFirst ? statementHead(facts, plan) : []),
    ...(facts.transaction_count === 0 ? [nothing] : linesHead.draw(top)),
    text(`Statement ${facts.number} of ${facts.account.id}`, page.left, page.bottom - 6, {
      size: 6.5,
      max: page.width,
    }),
  ];
}
