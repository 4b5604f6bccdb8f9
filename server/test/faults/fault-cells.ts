import type { Fault, SpoiledOperation } from "./faulty-carrier.ts";
import {
  askedTwice,
  committed,
  edited,
  labelFlaws,
  manglings,
  odd429s,
  refusing,
  silences,
} from "./spoiled-answers.ts";

/** Every fault at every operation where it makes sense, and how each has to end. */

export interface Cell {
  name: string;
  /** What the client is doing. */
  story: "purchase" | "void" | "top_up";
  carrier: string;
  spoils: Spoil[];
  /** What the client may be told first. */
  first: string[];
  /** Where it comes to rest once the fault is over, before the client tries again. */
  ends: "done" | "not_done";
}

export interface Spoil {
  operation: SpoiledOperation;
  fault: Fault;
  times?: number;
  /** How often it has to strike before it is lifted. */
  hits: number;
}

const pending = ["409 purchase_pending"];
const purchase = { story: "purchase", carrier: "ups" } as const;

function once(operation: SpoiledOperation, fault: Fault): Spoil {
  return { operation, fault, times: 1, hits: 1 };
}

function until(operation: SpoiledOperation, fault: Fault, hits = 1): Spoil {
  return { operation, fault, hits };
}

function entries(faults: Record<string, Fault>, except: readonly string[] = []) {
  return Object.entries(faults).filter(([name]) => !except.includes(name));
}

const takesItsTime = ["hangs", "trickles", "answers after we hung up"];

/** A look-up is asked again and again, so most faults are let to strike twice. */
function lookUpHits(name: string): number {
  return takesItsTime.includes(name) ? 1 : 2;
}

export function allCells(redirectTo: string): Cell[] {
  const silent = silences(redirectTo);
  const cells = [
    ...purchaseCells(silent),
    ...lookUpCells(silent),
    ...flawedCells(),
    ...voidCells(silent),
    ...topUpCells(silent),
    ...otherCarriers(silent),
  ];
  // Those that wait for time-outs begin first, and wait together.
  const isSlow = ({ name }: Cell) => takesItsTime.some((slow) => name.includes(slow));
  return [...cells.filter(isSlow), ...cells.filter((cell) => !isSlow(cell))];
}

const refusals = { "answers 401": refusing(401), "answers 403": refusing(403), ...odd429s };

function purchaseCells(silent: Record<string, Fault>): Cell[] {
  const cell = (name: string, fault: Fault, outcome: Pick<Cell, "first" | "ends">): Cell => ({
    ...purchase,
    ...outcome,
    name: `purchase: ${name}`,
    spoils: [once("purchase", fault)],
  });
  return [
    ...entries(silent).flatMap(([name, fault]) => [
      cell(`${name} before it sells`, fault, { first: pending, ends: "not_done" }),
      cell(`${name} after it sold`, committed(fault), { first: pending, ends: "done" }),
    ]),
    ...entries(manglings).map(([name, fault]) =>
      cell(name, fault, { first: pending, ends: "done" }),
    ),
    cell("says that our reference exists already", askedTwice, { first: pending, ends: "done" }),
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

/** The carrier sold something that cannot be kept: perhaps only in its answer, perhaps for good. */
function flawedCells(): Cell[] {
  const flaws = { ...labelFlaws, "charges more than was quoted": dearer };
  return [
    ...entries(flaws).flatMap(([name, fault]): Cell[] => [
      {
        ...purchase,
        name: `purchase: ${name}, but only in its answer`,
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
      name: "look-up: finds a label that cannot be used",
      spoils: [
        once(
          "purchase",
          committed(({ reset }) => reset()),
        ),
        until("look_up", labelFlaws["sends a label of zero bytes"]!),
      ],
      first: pending,
      ends: "not_done",
    },
    ...entries({ "resets the connection": ({ reset }) => reset(), ...refusals }).map(
      ([name, fault]): Cell => ({
        ...purchase,
        name: `void of an unusable label: ${name}`,
        spoils: [
          once("purchase", labelFlaws["sends half a label"]!),
          until("look_up", labelFlaws["sends half a label"]!, 2),
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
    story: "void",
    carrier: "ups",
    name: `void: ${name}`,
    spoils,
    first,
    ends: "done",
  });
  const ofLabels = ["answers about another reference"];
  return [
    ...entries(silent).flatMap(([name, fault]) => [
      cell(`${name} before it voids`, [until("void", fault, lookUpHits(name))], pending),
      cell(`${name} after it voided`, [until("void", committed(fault))], pending),
    ]),
    // A short answer trickles in within the time-out.
    ...entries(manglings, ofLabels).map(([name, fault]) =>
      cell(name, [until("void", fault)], [...pending, "200"]),
    ),
    ...entries(refusals).flatMap(([name, fault]): Cell[] => [
      { ...cell(name, [once("void", fault)], ["502 carrier_error"]), ends: "not_done" },
      cell(
        `${name} when asked again`,
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
      "loses its answer, and so does the look-up",
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

function topUpCells(silent: Record<string, Fault>): Cell[] {
  const cell = (name: string, spoils: Spoil[], outcome: Pick<Cell, "first" | "ends">): Cell => ({
    story: "top_up",
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
        cell(`charges ${name}, but only in its answer`, [once("charge", fault)], {
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
      "says that it charged more, so that its refund is refused at first",
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

/** The carriers share their implementation: of the others, one cell of each kind. */
function otherCarriers(silent: Record<string, Fault>): Cell[] {
  const reset = silent["resets the connection"]!;
  return ["canada_post", "purolator", "fedex", "usps"].flatMap((carrier): Cell[] => [
    {
      story: "purchase",
      carrier,
      name: `${carrier}, purchase and look-up: reset after it sold, then a web page`,
      spoils: [once("purchase", committed(reset)), until("look_up", silent["answers a web page"]!)],
      first: pending,
      ends: "done",
    },
    {
      story: "purchase",
      carrier,
      name: `${carrier}, purchase: sends half a label, and stays with it`,
      spoils: [
        once("purchase", labelFlaws["sends half a label"]!),
        until("look_up", labelFlaws["sends half a label"]!),
      ],
      first: ["502 carrier_error"],
      ends: "not_done",
    },
    {
      story: "void",
      carrier,
      name: `${carrier}, void: resets the connection after it voided`,
      spoils: [once("void", committed(reset))],
      first: pending,
      ends: "done",
    },
  ]);
}
