import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Checkbox } from "./checkbox.tsx";
import { hasSingleKeys, isTyping } from "./keys.ts";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** A width as CSS has it; the rest share what is left. */
  width?: string;
  /** On small screens, where a row is a card: its head, or left out. */
  onCard?: "title" | "aside" | "hidden";
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** What a press on the row or Enter does. */
  onOpen?: (row: Row) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (ids: ReadonlySet<string>) => void;
  /** Called when the last rows come into sight. */
  onEnd?: () => void;
  isLoadingMore?: boolean;
}

const row_px = 44;

/**
 * Rows of a list in a native table, of which only those in sight are in the document. `j`, `k`, `x` and Enter
 * move, select and open. On small screens each row is a card.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, columns, idOf, nameOf, onOpen, selected, onSelect, onEnd, isLoadingMore } =
    props;
  const words = useWords(kitWords);
  const table = useRef<HTMLDivElement>(null);
  const virtual = useWindowRows(table, rows.length);
  const items = virtual.getVirtualItems();
  const [current, setCurrent] = useRowKeys({
    ...props,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: "auto" }),
  });
  useEnd(items.at(-1)?.index, rows.length, onEnd);
  const start = items[0] ? items[0].start - virtual.options.scrollMargin : 0;
  const end = virtual.getTotalSize() - ((items.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  const toggle = (id: string) => onSelect?.(toggled(selected ?? new Set(), id));
  const areAll = rows.length > 0 && rows.every((row) => selected?.has(idOf(row)));
  return (
    <div ref={table}>
      <table
        className="block w-full border-collapse text-left md:table md:table-fixed"
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <thead className="hidden md:table-header-group">
          <tr className="border-b border-line text-sm text-soft">
            {onSelect && (
              <th scope="col" className="w-11 py-2 pl-4">
                <Checkbox
                  aria-label={words.selectAll}
                  isSelected={areAll}
                  isIndeterminate={!areAll && (selected?.size ?? 0) > 0}
                  onChange={() => onSelect(areAll ? new Set() : new Set(rows.map(idOf)))}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                style={{ width: column.width }}
                className={`px-4 py-2 font-medium ${column.align === "end" ? "text-right" : ""}`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block md:table-row-group">
          <Spacer height={start} />
          {items.map((item) => {
            const row = rows[item.index]!;
            const id = idOf(row);
            return (
              <tr
                key={id}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                onClick={(event) => {
                  if (isControl(event.target)) return;
                  setCurrent(item.index);
                  onOpen?.(row);
                }}
                className={`relative flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 md:table-row md:p-0 ${onOpen ? "cursor-pointer hover:bg-hover" : ""} ${selected?.has(id) ? "bg-accent-wash" : ""} ${current === item.index ? "shadow-[inset_2px_0_0_var(--color-accent)]" : ""}`}
              >
                {onSelect && (
                  <td className="md:w-11 md:py-2.5 md:pl-4">
                    <Checkbox
                      aria-label={words.selectRow(nameOf(row))}
                      isSelected={selected?.has(id) ?? false}
                      onChange={() => toggle(id)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td
                    key={column.id}
                    className={`min-w-0 truncate md:px-4 md:py-2.5 ${cardPlace(column)} ${column.align === "end" ? "md:text-right" : ""}`}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={end} />
        </tbody>
      </table>
      {isLoadingMore && (
        <p className="px-4 py-3 text-soft" role="status">
          {words.loadingMore}
        </p>
      )}
    </div>
  );
}

function cardPlace<Row>({ onCard }: Column<Row>): string {
  if (onCard === "hidden") return "hidden md:table-cell";
  if (onCard === "title") return "grow basis-[60%] font-medium md:font-normal";
  // Beside the head, wherever the column is; the others are in the lines below.
  if (onCard === "aside") return "ml-auto max-md:order-1 md:ml-0";
  return "max-md:order-2 max-md:text-sm max-md:text-soft";
}

function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr aria-hidden="true" className="block md:table-row">
      <td style={{ height }} className="block p-0 md:table-cell" />
    </tr>
  ) : null;
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, label") !== null;
}

/** The set with the id added, or taken out. */
function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Virtual rows that scroll with the page. */
function useWindowRows(table: React.RefObject<HTMLDivElement | null>, count: number) {
  const [margin, setMargin] = useState(0);
  useEffect(() => {
    const top = table.current?.getBoundingClientRect().top;
    if (top !== undefined) setMargin(top + window.scrollY);
  }, [table, count]);
  return useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => row_px,
    overscan: 12,
    scrollMargin: margin,
  });
}

function useEnd(last: number | undefined, count: number, onEnd: (() => void) | undefined) {
  useEffect(() => {
    if (last !== undefined && count > 0 && last >= count - 5) onEnd?.();
  }, [last, count, onEnd]);
}

function useRowKeys<Row>({
  rows,
  idOf,
  onOpen,
  selected,
  onSelect,
  scrollTo,
}: Props<Row> & { scrollTo: (index: number) => void }) {
  const [current, setCurrent] = useState<number | null>(null);
  useEffect(() => {
    const move = (by: number) => {
      const next = Math.max(
        0,
        Math.min(rows.length - 1, (current ?? (by > 0 ? -1 : rows.length)) + by),
      );
      setCurrent(next);
      scrollTo(next);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || !hasSingleKeys()) return;
      const row = current === null ? undefined : rows[current];
      if (event.key === "j") move(1);
      else if (event.key === "k") move(-1);
      else if (event.key === "x" && row) onSelect?.(toggled(selected ?? new Set(), idOf(row)));
      else if (event.key === "Enter" && row && !isControl(event.target ?? document.body))
        onOpen?.(row);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return [current, setCurrent] as const;
}
