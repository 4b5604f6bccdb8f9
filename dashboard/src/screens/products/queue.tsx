import type { Product } from "@waybill/sdk";
import { useEffect, useMemo, useRef, useState } from "react";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Empty } from "../../kit/empty.tsx";
import { useKeys } from "../../kit/keys.ts";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { Decision } from "./decision.tsx";
import { canApprove, tones } from "./states.ts";
import { useDecisions } from "./use-decisions.ts";
import { productWords } from "./words.ts";

interface Props {
  products: Product[];
  /** Reads the next page; undefined where there is none, or it is on its way. */
  onMore: (() => void) | undefined;
}

/** So many are left when the next page is asked for, so that keys do not have to wait for it. */
const ahead = 15;

/** A list beside the product that is looked at. What is decided makes room for the next one. */
export function Queue({ products, onMore }: Props) {
  const words = useWords(productWords);
  const may = useMay();
  const { fates, isDecided, approve, approveAll, renew } = useDecisions();
  const rows = products.filter((product) => !isDecided(product));
  const [wanted, setWanted] = useState(0);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (rows.length < ahead) onMore?.();
  }, [rows.length, onMore]);
  const at = Math.max(0, Math.min(wanted, rows.length - 1));
  const current = rows[at];
  const toggle = (sku: string) => {
    const next = new Set(selected);
    if (!next.delete(sku)) next.add(sku);
    setSelected(next);
  };
  const selectable = may(["products:approve"]) ? rows.filter(isSelectable) : [];
  const bindings = useMemo(
    () => ({
      j: () => setWanted(Math.min(at + 1, rows.length - 1)),
      k: () => setWanted(Math.max(at - 1, 0)),
      x: () => current && isSelectable(current) && toggle(current.sku),
    }),
    // The selection is read when a key is pressed.
    [at, rows, selected],
  );
  useKeys(bindings);
  if (!current) return <Empty icon="tag" title={words.allDone} />;
  const chosen = selectable.filter(({ sku }) => selected.has(sku));
  const fate = fates[current.sku];
  return (
    <div className="grid md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className="min-w-0 border-line max-md:border-b md:border-r">
        {selectable.length > 0 && (
          <SelectionBar
            {...{ selectable, chosen }}
            onSelect={(skus) => setSelected(new Set(skus))}
            onApprove={async () => {
              await approveAll(chosen);
              setSelected(new Set());
            }}
          />
        )}
        <ul
          aria-label={words.list}
          className="max-h-64 overflow-y-auto md:max-h-[calc(100dvh-18rem)] md:min-h-80"
        >
          {rows.map((product, index) => (
            <Line
              key={product.sku}
              product={product}
              isCurrent={index === at}
              isSelected={selectable.length > 0 ? selected.has(product.sku) : null}
              onShow={() => setWanted(index)}
              onToggle={() => toggle(product.sku)}
            />
          ))}
          {onMore && (
            <li className="p-3 text-center">
              <Button size="sm" onPress={onMore}>
                {words.more}
              </Button>
            </li>
          )}
        </ul>
      </div>
      <Decision
        key={current.sku}
        product={current}
        refusal={fate?.state === "refused" ? fate.error : null}
        onApprove={(code) => void approve(current, code)}
        onChanged={renew}
      />
    </div>
  );
}

function isSelectable(product: Product): boolean {
  return canApprove(product) && product.status !== "Rejected" && product.hs_code !== null;
}

interface SelectionProps {
  selectable: readonly Product[];
  chosen: readonly Product[];
  onSelect: (skus: string[]) => void;
  onApprove: () => Promise<void>;
}

function SelectionBar({ selectable, chosen, onSelect, onApprove }: SelectionProps) {
  const words = useWords(productWords);
  const [isPending, setPending] = useState(false);
  const approve = async () => {
    setPending(true);
    await onApprove();
    setPending(false);
  };
  const isAll = chosen.length === selectable.length;
  return (
    <div className="flex min-h-12 items-center justify-between gap-2 border-b border-line px-4 py-1.5">
      <Checkbox
        isSelected={isAll}
        isIndeterminate={!isAll && chosen.length > 0}
        onChange={(isOn) => onSelect(isOn ? selectable.map(({ sku }) => sku) : [])}
      >
        {words.selectAll}
      </Checkbox>
      {chosen.length > 0 && (
        <Button
          size="sm"
          variant="primary"
          icon="check"
          isPending={isPending}
          onPress={() => void approve()}
        >
          {words.approveSelected(chosen.length)}
        </Button>
      )}
    </div>
  );
}

interface LineProps {
  product: Product;
  isCurrent: boolean;
  /** Null where nothing of the list can be selected. */
  isSelected: boolean | null;
  onShow: () => void;
  onToggle: () => void;
}

function Line({ product, isCurrent, isSelected, onShow, onToggle }: LineProps) {
  const words = useWords(productWords);
  const { sku, title, status } = product;
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li
      ref={line}
      className={`flex items-center gap-3 border-b border-line px-4 ${isCurrent ? "bg-accent-wash" : "hover:bg-hover"}`}
    >
      {isSelected !== null && (
        <Checkbox
          aria-label={words.select(sku)}
          isSelected={isSelected}
          isDisabled={!isSelectable(product)}
          onChange={onToggle}
        />
      )}
      <button
        type="button"
        aria-current={isCurrent}
        onClick={onShow}
        className="flex min-w-0 grow cursor-pointer items-center justify-between gap-2 py-2.5 text-left"
      >
        <span className="flex min-w-0 flex-col leading-snug">
          <span className="truncate font-medium">{title}</span>
          <span className={`truncate font-mono text-xs ${isCurrent ? "text-soft" : "text-faint"}`}>
            {sku}
          </span>
        </span>
        <Badge tone={tones[status]}>{words.statuses[status]}</Badge>
      </button>
    </li>
  );
}
