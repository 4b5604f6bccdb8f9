import type { Fault } from "./faulty-carrier.ts";
import { entries, lookUpHits, once, pending, until, type Cell, type Spoil } from "./cell.ts";
import {
  askedTwice,
  committed,
  edited,
  labelMismatches,
  manglings,
  refusals,
  refusing,
  connectionFaults,
  unwritableNo,
} from "./spoiled-responses.ts";

/** Every fault of a carrier at a purchase, its lookup and a void. */

export function labelCells(redirectTo: string): Cell[] {
  const silent = connectionFaults(redirectTo);
  return [
    ...purchaseCells(silent),
    ...lookUpCells(silent),
    ...mismatchCells(),
    ...voidCells(silent),
    ...otherCarriers(silent),
  ];
}

const purchase = { scenario: "purchase", carrier: "ups" } as const;

function purchaseCells(silent: Record<string, Fault>): Cell[] {
  const cell = (name: string, fault: Fault, outcome: Pick<Cell, "first" | "ends">): Cell => ({
    ...purchase,
    ...outcome,
    name: `purchase: ${name}`,
    spoils: [once("purchase", fault)],
  });
  return [
    ...entries(silent).flatMap(([name, fault]) => [
      cell(`${name} before it issues`, fault, { first: pending, ends: "not_done" }),
      cell(`${name} after it issued`, committed(fault), { first: pending, ends: "done" }),
    ]),
    ...entries(manglings).map(([name, fault]) =>
      cell(name, fault, { first: pending, ends: "done" }),
    ),
    cell("reports that the reference exists already", askedTwice, { first: pending, ends: "done" }),
    cell("refuses with characters that cannot be stored", unwritableNo, {
      first: ["502 carrier_error"],
      ends: "not_done",
    }),
    ...entries(refusals).map(([name, fault]) =>
      cell(name, fault, { first: ["502 carrier_error"], ends: "not_done" }),
    ),
  ];
}

function lookUpCells(silent: Record<string, Fault>): Cell[] {
  const lost = once("purchase", committed(silent["resets the connection"]!));
  return entries({ ...silent, ...manglings, ...refusals }).map(([name, fault]) => ({
    ...purchase,
    name: `look-up: ${name}`,
    spoils: [lost, until("look_up", fault, lookUpHits(name))],
    first: pending,
    ends: "done",
  }));
}

/** The carrier issued a label that cannot be kept: perhaps only in its response, perhaps for good. */
function mismatchCells(): Cell[] {
  const flaws = { ...labelMismatches, "charges more than was quoted": dearer };
  return [
    ...entries(flaws).flatMap(([name, fault]): Cell[] => [
      {
        ...purchase,
        name: `purchase: ${name}, but only in its response`,
        spoils: [once("purchase", fault)],
        first: ["201"],
        ends: "done",
      },
      {
        ...purchase,
        name: `purchase: ${name}, and stays with it`,
        spoils: [once("purchase", fault), until("look_up", fault)],
        first: [fault === dearer ? "409 rate_changed" : "502 carrier_error"],
        ends: "not_done",
      },
    ]),
    {
      ...purchase,
      name: "lookup: finds a label that cannot be used",
      spoils: [
        once(
          "purchase",
          committed(({ reset }) => reset()),
        ),
        until("look_up", labelMismatches["sends a label of zero bytes"]!),
      ],
      first: pending,
      ends: "not_done",
    },
    ...entries({ "resets the connection": ({ reset }) => reset(), ...refusals }).map(
      ([name, fault]): Cell => ({
        ...purchase,
        name: `void of an unusable label: ${name}`,
        spoils: [
          once("purchase", labelMismatches["sends half a label"]!),
          until("look_up", labelMismatches["sends half a label"]!, 2),
          until("void", fault, 2),
        ],
        first: pending,
        ends: "not_done",
      }),
    ),
  ];
}

const dearer = edited((data) => {
  data["amount_cents"] = (data["amount_cents"] as number) + 100;
});

function voidCells(silent: Record<string, Fault>): Cell[] {
  const cell = (name: string, spoils: Spoil[], first: string[]): Cell => ({
    scenario: "void",
    carrier: "ups",
    name: `void: ${name}`,
    spoils,
    first,
    ends: "done",
  });
  const ofLabels = ["responds about another reference"];
  return [
    ...entries(silent).flatMap(([name, fault]) => [
      cell(`${name} before it voids`, [until("void", fault, lookUpHits(name))], pending),
      cell(`${name} after it voided`, [until("void", committed(fault))], pending),
    ]),
    // A short response trickles in within the timeout.
    ...entries(manglings, ofLabels).map(([name, fault]) =>
      cell(name, [until("void", fault)], [...pending, "200"]),
    ),
    ...entries(refusals).flatMap(([name, fault]): Cell[] => [
      { ...cell(name, [once("void", fault)], ["502 carrier_error"]), ends: "not_done" },
      cell(
        `${name} when called again`,
        [
          once(
            "void",
            committed(({ reset }) => reset()),
          ),
          until("void", fault),
        ],
        pending,
      ),
    ]),
    cell(
      "refuses to void what it voided already, its response lost",
      [
        once(
          "void",
          committed(({ reset }) => reset()),
        ),
        until("void", refusing(409)),
      ],
      pending,
    ),
    cell(
      "loses its response, and so does the lookup",
      [
        once(
          "void",
          committed(({ reset }) => reset()),
        ),
        until("void", refusing(401)),
        until("look_up", refusing(401)),
      ],
      pending,
    ),
  ];
}

/** The carriers share their implementation: of the others, one cell of each kind. */
function otherCarriers(silent: Record<string, Fault>): Cell[] {
  const reset = silent["resets the connection"]!;
  return ["canada_post", "purolator", "fedex", "usps"].flatMap((carrier): Cell[] => [
    {
      scenario: "purchase",
      carrier,
      name: `${carrier}, purchase and lookup: reset after it issued, then a web page`,
      spoils: [
        once("purchase", committed(reset)),
        until("look_up", silent["responds with a web page"]!),
      ],
      first: pending,
      ends: "done",
    },
    {
      scenario: "purchase",
      carrier,
      name: `${carrier}, purchase: sends half a label, and stays with it`,
      spoils: [
        once("purchase", labelMismatches["sends half a label"]!),
        until("look_up", labelMismatches["sends half a label"]!),
      ],
      first: ["502 carrier_error"],
      ends: "not_done",
    },
    {
      scenario: "void",
      carrier,
      name: `${carrier}, void: resets the connection after it voided`,
      spoils: [once("void", committed(reset))],
      first: pending,
      ends: "done",
    },
  ]);
}
