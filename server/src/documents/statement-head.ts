import { box, type Mark } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { dayAt } from "../domain/time/months.ts";
import type { Cents } from "../domain/values/money.ts";
import { amountWords } from "./amount-words.ts";
import { across, atMost, down, field, frame, heading, headingHeight, lines } from "./form.ts";
import { page, pageNumber } from "./form-page.ts";
import { addressLines } from "./party.ts";
import type { StatementFacts, StatementPlan } from "./statement.ts";

/** The upper part of a statement: account, month, and totals. */

const markSide = 22;
const top = page.top + markSide + 12;
const partyHeight = 92;
const sumsTop = top + headingHeight + partyHeight + 8;
const rowHeight = 12.5;
const sumRows = 8;
const sumsHeight = headingHeight + sumRows * rowHeight + 4;
export const firstTop = sumsTop + sumsHeight + 10;
export const laterTop = top + 4;

/** On every page: the logo, the title, and the page number. */
export function letterhead(
  { number, account }: StatementFacts,
  place: number,
  count: number,
): Mark[] {
  const sandbox = account.is_sandbox ? " (sandbox, no real money)" : "";
  return [
    ...logo(page.left, page.top),
    text(`Statement ${number}${sandbox}`, page.middle, page.top + 5, {
      size: 12,
      bold: true,
      align: "center",
      max: 300,
    }),
    pageNumber(place + 1, count),
  ];
}

/** Waybill's initial in a square, and its name beside it. */
function logo(x: number, y: number): Mark[] {
  return [
    box(x, y, markSide, markSide),
    text("W", x + markSide / 2, y + 2.5, {
      size: 17,
      bold: true,
      white: true,
      align: "center",
      max: markSide,
    }),
    text("Waybill", x + markSide + 6, y + 2, { size: 17, bold: true, max: 120 }),
  ];
}

export function statementHead(facts: StatementFacts, plan: StatementPlan): Mark[] {
  const height = headingHeight + partyHeight;
  const half = page.middle - page.left;
  return [
    ...frame({ x: page.left, y: top, width: page.width, height }),
    down(page.middle, top, height),
    ...heading("ACCOUNT", page.left, top, half),
    ...holder(facts),
    ...heading("PERIOD", page.middle, top, half),
    ...period(facts),
    ...frame({ x: page.left, y: sumsTop, width: page.width, height: sumsHeight }),
    down(page.middle, sumsTop, sumsHeight),
    ...heading("BALANCE", page.left, sumsTop, half),
    ...balanceRows(facts),
    ...heading("TAXES IN THESE AMOUNTS", page.middle, sumsTop, half),
    ...taxRows(facts, plan),
  ];
}

const inner = { left: page.left + 5, right: page.middle + 5, width: page.width / 2 - 10 };

function holder({ account }: StatementFacts): Mark[] {
  const { name, address, id } = account;
  const words = atMost(2, name, { size: 9, width: inner.width, bold: true });
  const y = top + headingHeight + 5;
  const street = address ? addressLines({ ...address, name, company: null }).slice(1) : [];
  return [
    ...lines(words, { x: inner.left, y, width: inner.width, size: 9, bold: true }),
    ...lines(street.slice(0, 4), { x: inner.left, y: y + 24, width: inner.width, size: 7.5 }),
    ...field("Account:", id, {
      x: inner.left,
      y: top + headingHeight + partyHeight - 14,
      width: inner.width,
      size: 8,
    }),
  ];
}

function period(facts: StatementFacts): Mark[] {
  const { period, time_zone, created_at, currency, transaction_count } = facts;
  const rows: [string, string][] = [
    ["From:", period.first_day],
    ["To:", period.last_day],
    ["Time zone:", time_zone],
    ["Currency:", currency],
    ["Transactions:", transaction_count.toLocaleString("en-US")],
    ["Made on:", dayAt(created_at, time_zone)],
  ];
  const first = top + headingHeight + 5;
  return rows.flatMap(([caption, value], place) =>
    field(caption, value, { x: inner.right, y: first + place * 14, width: inner.width, size: 8.5 }),
  );
}

function balanceRows({ opening_cents, closing_cents, totals }: StatementFacts): Mark[] {
  const all = [
    { name: "Opening balance", amount_cents: opening_cents, bold: true },
    ...totals.map((total) => ({ ...total, bold: false })),
    { name: "Closing balance", amount_cents: closing_cents, bold: true },
  ];
  const lastY = rowTop(all.length - 1) - 2.5;
  return [
    ...all.flatMap(({ name, amount_cents, bold }, place) =>
      amountRow(name, amount_cents, { x: inner.left, y: rowTop(place), bold }),
    ),
    across(page.left, lastY, page.middle - page.left),
  ];
}

// A statement has room for so many kinds; Canada has five.
const mostKinds = sumRows - 2;

function taxRows({ taxes_cents }: StatementFacts, { taxes }: StatementPlan): Mark[] {
  const shown =
    taxes.length > mostKinds ? [...taxes.slice(0, mostKinds - 1), othersOf(taxes)] : taxes;
  const last = rowTop(sumRows - 1);
  return [
    ...shown.flatMap(({ name, amount_cents }, place) =>
      amountRow(name, amount_cents, { x: inner.right, y: rowTop(place), bold: false }),
    ),
    across(page.middle, last - 2.5, page.right - page.middle),
    ...amountRow("All taxes", taxes_cents, { x: inner.right, y: last, bold: true }),
  ];
}

function othersOf(taxes: StatementPlan["taxes"]) {
  const others = taxes.slice(mostKinds - 1);
  return { name: "Others", amount_cents: others.reduce((sum, each) => sum + each.amount_cents, 0) };
}

function rowTop(place: number): number {
  return sumsTop + headingHeight + 5 + place * rowHeight;
}

function amountRow(
  name: string,
  amountCents: Cents,
  { x, y, bold }: { x: number; y: number; bold: boolean },
): Mark[] {
  const right = x + inner.width;
  return [
    text(name, x, y, { size: 8.5, bold, max: inner.width - 100 }),
    text(amountWords(amountCents), right, y, { size: 8.5, bold, align: "right", max: 95 }),
  ];
}
