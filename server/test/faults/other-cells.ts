import { once, pending, until, type Cell, type Spoil } from "./cell.ts";
import {
  askedTwice,
  committed,
  manglings,
  refusals,
  refusing,
  connectionFaults,
  unwritableNo,
} from "./spoiled-responses.ts";

/**
 * Pickups and freight are bought like labels (`label-cells.ts`), by wire formats of their own: of each kind
 * of fault they have one cell, at the request and at the cancellation.
 */
export function otherCells(redirectTo: string): Cell[] {
  const silent = connectionFaults(redirectTo);
  const after = (name: string) => committed(silent[name]!);
  const reset = silent["resets the connection"]!;
  const asked: [name: string, Spoil, is: "pending" | "refused" | "there"][] = [
    ["resets the connection before it acts", once("purchase", reset), "pending"],
    ["resets the connection after it acted", once("purchase", committed(reset)), "there"],
    ["hangs after it acted", once("purchase", after("hangs")), "there"],
    ["responds 500 after it acted", once("purchase", after("answers 500")), "there"],
    ["answers __proto__", once("purchase", silent["answers __proto__"]!), "pending"],
    [
      "responds with half its JSON",
      once("purchase", manglings["responds with half its JSON"]!),
      "there",
    ],
    ["reports that the reference exists already", once("purchase", askedTwice), "there"],
    ["answers 401", once("purchase", refusals["answers 401"]!), "refused"],
    ["refuses with characters that cannot be stored", once("purchase", unwritableNo), "refused"],
  ];
  const unheard = once("void", committed(reset));
  const calledOff: [name: string, Spoil[], is: "pending" | "refused"][] = [
    ["resets the connection before it acts", [until("void", reset)], "pending"],
    ["resets the connection after it acted", [unheard], "pending"],
    ["responds with a web page", [until("void", silent["responds with a web page"]!)], "pending"],
    ["answers 401", [once("void", refusals["answers 401"]!)], "refused"],
    ["responds 401 when called again", [unheard, until("void", refusing(401))], "pending"],
    [
      "refuses what it did already, its response lost",
      [unheard, until("void", refusing(409))],
      "pending",
    ],
    ["is unreadable when called again", [unheard, until("void", unwritableNo)], "pending"],
  ];
  const kinds = [
    { ask: "pickup", call_off: "call_off", carrier: "ups", waiting: ["201 scheduled"] },
    { ask: "booking", call_off: "cancel", carrier: "day_ross", waiting: pending },
  ] as const;
  const refused = ["502 carrier_error"];
  return kinds.flatMap(({ ask, call_off, carrier, waiting }): Cell[] => [
    ...asked.map(([name, spoil, is]): Cell => ({
      scenario: ask,
      carrier,
      name: `${ask}: ${name}`,
      spoils: [spoil],
      first: is === "refused" ? refused : [...waiting],
      ends: is === "there" ? "done" : "not_done",
    })),
    ...calledOff.map(([name, spoils, is]): Cell => ({
      scenario: call_off,
      carrier,
      name: `${call_off}: ${name}`,
      spoils,
      first: is === "refused" ? refused : pending,
      ends: is === "refused" ? "not_done" : "done",
    })),
  ]);
}
