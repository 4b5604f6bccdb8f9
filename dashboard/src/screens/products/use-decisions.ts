import { useQueryClient } from "@tanstack/react-query";
import type { Product } from "@waybill/sdk";
import { useRef, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { sendWithKey } from "../../form-key.ts";
import { problemOf } from "../../kit/problem.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { productWords } from "./words.ts";

/** What became of a decision on a product as it was at `updated_at`; `error` where it was refused. */
type Fate = { updated_at: string } & ({ state: "sent" } | { state: "refused"; error: unknown });

/** The list is read again when no key has been pressed for so long. */
const pause_ms = 400;

/**
 * Decisions in the order in which they are made. A product that is decided on leaves the list at once, so that
 * the next key is for the next product; one whose decision is refused comes back with the reason.
 */
export function useDecisions() {
  const words = useWords(productWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const [fates, setFates] = useState<Readonly<Record<string, Fate>>>({});
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const open = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const set = (sku: string, fate: Fate) => setFates((before) => ({ ...before, [sku]: fate }));

  const renew = () => client.invalidateQueries({ queryKey: [environment, "products"] });
  const perform = async (
    { sku, updated_at }: Product,
    call: () => Promise<unknown>,
  ): Promise<unknown> => {
    set(sku, { state: "sent", updated_at });
    open.current += 1;
    clearTimeout(timer.current);
    const mine = line.current.then(call);
    line.current = mine.catch(() => undefined);
    try {
      await mine;
      return null;
    } catch (error) {
      set(sku, { state: "refused", updated_at, error });
      return error;
    } finally {
      open.current -= 1;
      if (open.current === 0) timer.current = setTimeout(() => void renew(), pause_ms);
    }
  };
  const approval = ({ sku, hs_code }: Product, code: string | null) => {
    const body = code !== null && code !== hs_code ? { hs_code: code } : {};
    return () =>
      sendWithKey(`product.approve.${environment}.${sku}`, (idempotencyKey) =>
        waybill.products.approveClassification(sku, body, { idempotencyKey }),
      );
  };
  const approve = async (product: Product, code: string | null) => {
    const { sku } = product;
    const error = await perform(product, approval(product, code));
    if (error === null) toast(words.approved(sku));
    else toast(words.stoppedAt(sku, problemOf(error).message), "danger");
  };
  /** One after the other, up to the first that is refused. */
  const approveAll = async (products: readonly Product[]) => {
    for (const product of products) {
      const error = await perform(product, approval(product, null));
      if (error === null) continue;
      toast(words.stoppedAt(product.sku, problemOf(error).message), "danger");
      return;
    }
    toast(words.approvedMany(products.length));
  };
  /** Whether the row of a list is from before the decision on it. */
  const isDecided = ({ sku, updated_at }: Product) => {
    const fate = fates[sku];
    return fate?.state === "sent" && fate.updated_at === updated_at;
  };
  return { fates, isDecided, approve, approveAll, renew };
}
