import { expect } from "vitest";
import { outcomeOf, type DataOf, type Failure, type Reply, type Shipment } from "../client.ts";
import { halifax, parcel } from "../shipments.ts";
import { aQuotedDraft, type TestAccount, type World } from "../world.ts";
import { soldLabels } from "./moments.ts";

/**
 * What two clients may do concurrently to one shipment or one balance, and the responses that they may
 * get: every response must be one that some order of the two explains, and the final state must be that
 * order's. `purchase_pending` is the third way: requested in the middle, nothing done.
 */

export type Act = "buy" | "void" | "put" | "delete" | "top_up";

export interface Scene {
  world: World;
  account: TestAccount;
  shipment: Shipment;
  service: string;
  /** Of the label. */
  carrier: string;
  price_cents: number;
  opening_cents: number;
}

export const changes = {
  packages: [{ ...parcel, weight: 11 }],
  to_address: { ...halifax, name: "Ines Roy" },
};

export const acts: Record<Act, (scene: Scene) => Promise<Reply<unknown>>> = {
  buy: ({ account, shipment, service }) => account.buy(shipment.id, { service }),
  void: ({ account, shipment }) => account.post(`/shipments/${shipment.id}/void`),
  put: ({ account, shipment }) => account.put(`/shipments/${shipment.id}`, changes),
  delete: ({ account, shipment }) => account.delete(`/shipments/${shipment.id}`),
  top_up: ({ account }) => account.post("/credits/top-up", { amount: topUpCents / 100 }),
};

const topUpCents = 10_000;

export interface Pair {
  acts: [Act, Act];
  /** The initial state: a shipment with its label or without, on a balance that pays for it or not yet. */
  finds: "draft" | "labelled" | "draft, unaffordable";
  /** Each a line of `outcome`; all of them happen, and nothing else does. */
  allowed: string[];
}

export const pairs: Pair[] = [
  {
    acts: ["buy", "void"],
    finds: "draft",
    allowed: [
      "201, 200 → voided, 1 issued",
      "409 conflict, 200 → cancelled, 0 issued",
      "201, 409 purchase_pending → purchased, 1 issued",
    ],
  },
  {
    acts: ["buy", "put"],
    finds: "draft",
    allowed: [
      "201, 200 → purchased, 1 issued, changed",
      "201, 409 already_labelled → purchased, 1 issued",
      "201, 409 purchase_pending → purchased, 1 issued",
      // The change came while the purchase was under way, which detected it in time.
      "409 conflict, 200 → draft, 0 issued, changed",
    ],
  },
  {
    acts: ["buy", "delete"],
    finds: "draft",
    allowed: [
      "404 not_found, 204 → gone, 0 issued",
      "201, 200 → voided, 1 issued",
      "201, 409 purchase_pending → purchased, 1 issued",
    ],
  },
  {
    acts: ["buy", "buy"],
    finds: "draft",
    allowed: [
      "201, 409 already_labelled → purchased, 1 issued",
      "201, 409 purchase_pending → purchased, 1 issued",
    ],
  },
  {
    acts: ["buy", "top_up"],
    finds: "draft, unaffordable",
    allowed: ["201, 201 → purchased, 1 issued", "402 insufficient_credits, 201 → draft, 0 issued"],
  },
  {
    acts: ["void", "void"],
    finds: "labelled",
    allowed: ["200, 200 → voided, 1 issued", "200, 409 purchase_pending → voided, 1 issued"],
  },
  {
    acts: ["void", "delete"],
    finds: "labelled",
    allowed: [
      "200, 200 → voided, 1 issued",
      "200, 409 purchase_pending → voided, 1 issued",
      "409 purchase_pending, 200 → voided, 1 issued",
    ],
  },
  {
    acts: ["void", "buy"],
    finds: "labelled",
    allowed: [
      "200, 409 already_labelled → voided, 1 issued",
      "200, 409 conflict → voided, 1 issued",
    ],
  },
  {
    acts: ["void", "put"],
    finds: "labelled",
    allowed: [
      "200, 409 already_labelled → voided, 1 issued",
      "200, 409 conflict → voided, 1 issued",
    ],
  },
];

export async function aScene(world: World, { finds }: Pair): Promise<Scene> {
  const opening_cents = finds === "draft, unaffordable" ? 100 : 40_000;
  const quoted = await aQuotedDraft(world, opening_cents);
  if (finds === "labelled") await quoted.account.bought(quoted.shipment.id);
  return { world, opening_cents, ...quoted };
}

/** Two requests that were sent, and their responses, in the order of the pair. */
export interface Raced {
  scene: Scene;
  pair: Pair;
  replies: [Reply<unknown>, Reply<unknown>];
}

/** The two responses and the final state once all is at rest, in a line. */
export async function outcome({ scene, pair, replies }: Raced): Promise<string> {
  const { world, account, shipment } = scene;
  const [first, second] = pair.acts;
  const told = replies.map(outcomeOf);
  // Whichever of two equal acts was the first to succeed is named first.
  if (first === second) told.sort();
  const shown = await account.get<DataOf<Shipment> & Failure>(`/shipments/${shipment.id}`);
  const left = shown.status === 404 ? null : shown.body.data;
  const changed = left?.packages[0]!.weight === changes.packages[0]!.weight;
  expectOfOnePiece(left, changed);
  await expectPaid(scene, left, replies);
  const sold = await soldLabels(world, shipment.id);
  return `${told.join(", ")} → ${left?.status ?? "gone"}, ${sold} issued${changed ? ", changed" : ""}`;
}

/** A change is there in whole or not at all, and a label is of the shipment as it was bought. */
function expectOfOnePiece(left: Shipment | null, changed: boolean): void {
  if (!left) return;
  expect(left.to_address.name === changes.to_address.name).toBe(changed);
  if (left.status !== "purchased") return;
  expect(left.selected_rate).toMatchObject({
    total: left.cost!.total,
    ...(changed ? { billable_weight: { value: 11 } } : {}),
  });
}

async function expectPaid(
  { account, opening_cents, price_cents }: Scene,
  left: Shipment | null,
  replies: Reply<unknown>[],
): Promise<void> {
  const toppedUp = replies.some(({ body }) => isTopUp(body)) ? topUpCents : 0;
  const paid = left?.status === "purchased" ? Math.round(left.cost!.total * 100) : 0;
  if (left?.packages[0]!.weight === parcel.weight) expect([0, price_cents]).toContain(paid);
  expect(await account.balanceCents()).toBe(opening_cents + toppedUp - paid);
}

function isTopUp(body: unknown): boolean {
  return (body as DataOf<{ type?: string }> | null)?.data?.type === "top_up";
}
