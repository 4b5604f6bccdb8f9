import { entries, lookUpHits, once, until, type Cell, type Spoil } from "./cell.ts";
import { committed, edited, manglings, refusals, connectionFaults } from "./spoiled-responses.ts";

/** Every fault of the card processor at a charge, its lookup and the refund of a wrong one. */

export function chargeCells(redirectTo: string): Cell[] {
  const silent = connectionFaults(redirectTo);
  const cell = (name: string, spoils: Spoil[], outcome: Pick<Cell, "first" | "ends">): Cell => ({
    scenario: "top_up",
    carrier: "payments",
    name: `top-up: ${name}`,
    spoils,
    ...outcome,
  });
  const lost = once(
    "charge",
    committed(({ reset }) => reset()),
  );
  const more = edited((data) => {
    data["amount_cents"] = (data["amount_cents"] as number) + 100;
  });
  const inDollars = edited((data) => {
    data["currency"] = "USD";
  });
  return [
    ...entries(silent).flatMap(([name, fault]) => [
      cell(`${name} before it charges`, [once("charge", fault)], {
        first: ["201 pending"],
        ends: "not_done",
      }),
      cell(`${name} after it charged`, [once("charge", committed(fault))], {
        first: ["201 pending"],
        ends: "done",
      }),
    ]),
    ...entries(manglings).map(([name, fault]) =>
      cell(name, [once("charge", fault)], { first: ["201 pending"], ends: "done" }),
    ),
    ...entries(refusals).map(([name, fault]) =>
      cell(name, [once("charge", fault)], {
        first: ["502 payment_provider_error"],
        ends: "not_done",
      }),
    ),
    ...entries({ ...silent, ...manglings, ...refusals }).map(([name, fault]) =>
      cell(`look-up ${name}`, [lost, until("charge_look_up", fault, lookUpHits(name))], {
        first: ["201 pending"],
        ends: "done",
      }),
    ),
    ...entries({ "another amount": more, "another currency": inDollars }).flatMap(
      ([name, fault]) => [
        cell(`charges ${name}, but only in its response`, [once("charge", fault)], {
          first: ["201 succeeded"],
          ends: "done",
        }),
      ],
    ),
    cell(
      "charges another currency, and stays with it",
      [once("charge", inDollars), until("charge_look_up", inDollars)],
      { first: ["502 payment_provider_error"], ends: "not_done" },
    ),
    cell(
      "reports a higher charge, so that its refund is refused at first",
      [once("charge", more), until("charge_look_up", more, 2)],
      { first: ["201 pending"], ends: "not_done" },
    ),
    ...["resets the connection", "answers 500"].map((name) =>
      cell(
        `refund of a wrong charge ${name}`,
        [
          once("charge", inDollars),
          until("charge_look_up", inDollars, 2),
          until("refund", committed(silent[name]!)),
        ],
        { first: ["201 pending"], ends: "not_done" },
      ),
    ),
  ];
}
