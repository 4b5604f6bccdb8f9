import { useQueryClient } from "@tanstack/react-query";
import type { Product } from "@waybill/sdk";
import { useMemo, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { useKeys } from "../../kit/keys.ts";
import { problemOf } from "../../kit/problem.ts";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { Decision, isUndecided } from "./decision.tsx";
import { tones } from "./status-tones.ts";
import { productWords } from "./words.ts";

interface Props {
  products: Product[];
  onMore: (() => void) | undefined;
}

/** A list beside the product that is looked at. What is decided makes room for the next one. */
export function Queue({ products, onMore }: Props) {
  const words = useWords(productWords);
  const may = useMay();
  const [wanted, setWanted] = useState(0);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const at = Math.min(wanted, products.length - 1);
  const current = products[at]!;
  const toggle = (sku: string) => {
    const next = new Set(selected);
    if (!next.delete(sku)) next.add(sku);
    setSelected(next);
  };
  const bindings = useMemo(
    () => ({
      j: () => setWanted(Math.min(at + 1, products.length - 1)),
      k: () => setWanted(Math.max(at - 1, 0)),
      x: () => toggle(current.sku),
    }),
    // The selection is read when a key is pressed.
    [at, products, selected],
  );
  useKeys(bindings);
  const chosen = products.filter((product) => selected.has(product.sku) && isUndecided(product));
  const canSelect = may(["products:approve"]) && products.some(isUndecided);
  return (
    <div className="grid md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className="min-w-0 border-line max-md:border-b md:border-r">
        {canSelect && (
          <div className="flex min-h-12 items-center justify-between gap-2 border-b border-line px-4 py-1.5">
            <Checkbox
              isSelected={
                chosen.length > 0 && chosen.length === products.filter(isUndecided).length
              }
              isIndeterminate={
                chosen.length > 0 && chosen.length < products.filter(isUndecided).length
              }
              onChange={(isOn) => setSelected(new Set(isOn ? products.map(({ sku }) => sku) : []))}
            >
              {words.selectAll}
            </Checkbox>
            {chosen.length > 0 && (
              <ApproveMany products={chosen} onDone={() => setSelected(new Set())} />
            )}
          </div>
        )}
        <ul aria-label={words.list} className="max-h-[70dvh] overflow-y-auto max-md:max-h-64">
          {products.map((product, index) => (
            <li
              key={product.sku}
              className={`flex items-center gap-3 border-b border-line px-4 ${index === at ? "bg-accent-wash" : "hover:bg-hover"}`}
            >
              {canSelect && (
                <Checkbox
                  aria-label={words.select(product.sku)}
                  isSelected={selected.has(product.sku)}
                  onChange={() => toggle(product.sku)}
                />
              )}
              <button
                type="button"
                aria-current={index === at}
                onClick={() => setWanted(index)}
                className="flex min-w-0 grow cursor-pointer items-center justify-between gap-2 py-2.5 text-left"
              >
                <span className="flex min-w-0 flex-col leading-snug">
                  <span className="truncate font-medium">{product.title}</span>
                  <span className="truncate font-mono text-xs text-faint">{product.sku}</span>
                </span>
                <Badge tone={tones[product.status]}>{words.statuses[product.status]}</Badge>
              </button>
            </li>
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
      <Decision key={current.sku} product={current} />
    </div>
  );
}

/** Approves one after the other, and stops at the first that is refused. */
function ApproveMany({ products, onDone }: { products: Product[]; onDone: () => void }) {
  const words = useWords(productWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey("products.approve");
  const [isPending, setPending] = useState(false);
  const approve = async () => {
    setPending(true);
    let at = products[0]!.sku;
    try {
      await key.send(async (first) => {
        for (const [index, { sku }] of products.entries()) {
          at = sku;
          await waybill.products.approveClassification(
            sku,
            {},
            { idempotencyKey: `${first}-${index}` },
          );
        }
      });
      onDone();
    } catch (error) {
      toast(words.stoppedAt(at, problemOf(error).message), "danger");
    } finally {
      setPending(false);
      await client.invalidateQueries({ queryKey: [environment] });
    }
  };
  return (
    <Button
      size="sm"
      variant="primary"
      icon="check"
      isPending={isPending}
      onPress={() => void approve()}
    >
      {words.approveSelected(products.length)}
    </Button>
  );
}
