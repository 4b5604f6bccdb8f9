import type { MissingDocument } from "@waybill/sdk";
import { useState } from "react";
import { printFile } from "../../print/frame.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import type { Chosen } from "./chosen.ts";
import { shipmentWords } from "./words.ts";

/** One file holds the labels of so many shipments. */
export const file_shipments_max = 500;

/** What a file lacks, or why there is none. */
interface Trouble {
  missing: readonly { shipment: Chosen; reason: MissingDocument["reason"] }[];
  error: unknown;
}

const none: Trouble = { missing: [], error: null };

/** Prints labels of up to 500 shipments as one file. */
export function usePrint() {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  const [printing, setPrinting] = useState<readonly Chosen[] | null>(null);
  const [trouble, setTrouble] = useState(none);
  const print = async (shipments: readonly Chosen[]) => {
    if (printing) return;
    setPrinting(shipments);
    setTrouble(none);
    try {
      const { data } = await waybill.documents.combine({
        shipment_ids: shipments.map(({ id }) => id),
      });
      const missing = data.missing.flatMap(({ shipment_id, reason }) => {
        const shipment = shipments.find(({ id }) => id === shipment_id);
        return shipment ? [{ shipment, reason }] : [];
      });
      setTrouble({ missing, error: null });
      toast(words.printed(shipments.length - missing.length));
      // The browser's own dialog may stay open for as long as the person likes.
      void printFile(data.url);
    } catch (error) {
      setTrouble({ missing: [], error });
    } finally {
      setPrinting(null);
    }
  };
  return {
    print,
    /** The shipments whose file is on its way. */
    printing,
    ...trouble,
    hasTrouble: trouble.missing.length > 0 || trouble.error !== null,
    forget: () => setTrouble(none),
  };
}
