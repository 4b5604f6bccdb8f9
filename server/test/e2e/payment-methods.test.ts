import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf, ListOf } from "../client.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** The cards of an account, as the account itself changes them. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

test("a card is attached once, found at its Location, made the default, and detached", async () => {
  const shop = await anAccount(world);
  const stranger = await anAccount(world);
  interface Card {
    id: string;
    is_default: boolean;
  }
  const cards = async () =>
    must(await shop.get<ListOf<Card>>("/credits/payment-methods"), 200).data.filter(
      ({ is_default }) => is_default,
    );
  const declined = "/credits/payment-methods/pm_card_declined";
  must(await shop.post(`${declined}/default`, undefined), 200);
  expect(await cards()).toMatchObject([{ id: "pm_card_declined" }]);
  must(await shop.delete(declined), 204);
  expect((await shop.post(`${declined}/default`, undefined)).status).toBe(404);
  const reply = await shop.post<DataOf<Card>>("/credits/payment-methods", {
    card: "pm_card_declined",
  });
  const added = must(reply, 201);
  expect(added.data).toMatchObject({ id: "pm_card_declined", is_default: true });
  expect(reply.headers["location"]).toMatch(/\/credits\/payment-methods\/pm_card_declined$/);
  expect((await shop.post("/credits/payment-methods", { card: "pm_card_gold" })).status).toBe(422);
  must(await stranger.delete(declined), 204);
  expect((await shop.get(declined)).status).toBe(200);
});
