import type { Body } from "@waybill/sdk";
import { useEffect, useRef, useState } from "react";
import { useEnvironment, type Environment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { useWaybill } from "../../waybill.ts";

export type NewTopUp = Body<"topUpCredits">;

const again_ms = 2000;
const placeOf = (environment: Environment) => `waybill.top-up.${environment}`;

/**
 * Charges a card once, however often and in how many visits it is asked for: the key and what was asked for are
 * kept until a final answer. A charge whose outcome is not known is asked about by the same call until it ends.
 */
export function useTopUp() {
  const environment = useEnvironment();
  const waybill = useWaybill();
  const key = useFormKey(`top-up.${environment}`);
  const [isWaiting, setWaiting] = useState(false);
  const [earlier] = useState(() => (key.isLeftOver ? readKept(environment) : null));
  const closing = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    closing.current = controller;
    return () => controller.abort();
  }, []);
  const send = (body: NewTopUp) => {
    sessionStorage.setItem(placeOf(environment), JSON.stringify(body));
    const { signal } = closing.current;
    return key.send(async (idempotencyKey) => {
      for (;;) {
        const { data } = await waybill.credits.topUp(body, { idempotencyKey, signal });
        if (data.status === "succeeded") return data;
        setWaiting(true);
        await new Promise((resolve) => setTimeout(resolve, again_ms));
        signal.throwIfAborted();
      }
    });
  };
  return { send, isWaiting, earlier };
}

function readKept(environment: Environment): NewTopUp | null {
  const text = sessionStorage.getItem(placeOf(environment));
  return text ? (JSON.parse(text) as NewTopUp) : null;
}
