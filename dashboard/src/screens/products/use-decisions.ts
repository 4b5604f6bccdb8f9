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

/** What became of a decision; `error` where it was refused. */
export type Fate = { state: "sent" | "done" } | { state: "refused"; error: unknown };

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
  const set = (sku: string, fate: Fate) => setFates((before) => ({ ...before, [sku]: fate }));

  const renew = async () => {
    await client.invalidateQueries({ queryKey: [environment, "products"] });
    void client.invalidateQueries({ queryKey: [environment, "counts"] });
    setFates((before) =>
      Object.fromEntries(Object.entries(before).filter(([, { state }]) => state !== "done")),
    );
  };
  const perform = async (sku: string, call: () => Promise<unknown>): Promise<unknown> => {
    set(sku, { state: "sent" });
    open.current += 1;
    const mine = line.current.then(call);
    line.current = mine.catch(() => undefined);
    try {
      await mine;
      set(sku, { state: "done" });
      return null;
    } catch (error) {
      set(sku, { state: "refused", error });
      return error;
    } finally {
      open.current -= 1;
      if (open.current === 0) void renew();
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
    const error = await perform(sku, approval(product, code));
    if (error === null) toast(words.approved(sku));
    else toast(words.stoppedAt(sku, problemOf(error).message), "danger");
  };
  /** One after the other, up to the first that is refused. */
  const approveAll = async (products: readonly Product[]) => {
    for (const product of products) {
      const error = await perform(product.sku, approval(product, null));
      if (error === null) continue;
      toast(words.stoppedAt(product.sku, problemOf(error).message), "danger");
      return;
    }
    toast(words.approvedMany(products.length));
  };
  return { fates, approve, approveAll, renew };
}
