import { expect, test } from "vitest";
import { aRandom } from "../../../test/random.ts";
import { fewestFirst, type Line } from "./fewest-first.ts";

interface Named extends Line {
  name: string;
}
const aLine = (account_id: string, name = account_id): Named => ({
  account_id,
  name,
  under_way: 0,
});

test("an account with a hundred lines gets no more slots than one with one", () => {
  const order = fewestFirst<Named>({ all: 8, of_account: 8 });
  for (let nth = 0; nth < 100; nth++) order.offer(aLine("many", `many ${nth}`));
  order.offer(aLine("one"));
  const begun = Array.from({ length: 8 }, () => order.next()!.account_id);
  expect(begun.filter((account) => account === "one")).toHaveLength(4);
  expect(order.next()).toBeNull();
});

test("no account takes more than its part, and a slot that is free goes to the account with the fewest", () => {
  const order = fewestFirst<Named>({ all: 10, of_account: 3 });
  const [a, b] = [aLine("a"), aLine("b")];
  order.offer(a);
  for (let nth = 0; nth < 3; nth++) expect(order.next()).toBe(a);
  expect(order.next()).toBeNull();
  order.offer(b);
  expect(order.next()).toBe(b);
  order.leave(a);
  expect(order.next()).toBe(b);
  expect(order.next()?.name).toMatch(/a|b/);
});

test("whatever is offered, begun, ended and withdrawn, the next line is of the account with the fewest, and bounds hold", () => {
  const random = aRandom();
  const bounds = { all: 12, of_account: 5 };
  const order = fewestFirst<Named>(bounds);
  const lines = Array.from({ length: 20 }, (_, nth) => aLine(`acc_${nth % 6}`, `line_${nth}`));
  const able = new Set<Named>();
  const begun: Named[] = [];
  const ofAccount = (id: string) => begun.filter(({ account_id }) => account_id === id).length;
  for (let turn = 0; turn < 5000; turn++) {
    const line = random.pick(lines);
    const what = random.below(5);
    if (what === 0) {
      able.add(line);
      order.offer(line);
    } else if (what === 1) {
      able.delete(line);
      order.withdraw(line);
    } else if (what === 2 && begun.length > 0) {
      order.leave(begun.splice(random.below(begun.length), 1)[0]!);
    } else if (what > 2) {
      const counts = [...able].map(({ account_id }) => ofAccount(account_id));
      const fewest = Math.min(Infinity, ...counts);
      const isFree = begun.length < bounds.all && fewest < bounds.of_account;
      const next = order.next();
      expect(next !== null, `seed ${random.seed}, turn ${turn}`).toBe(isFree);
      if (!next) continue;
      expect(able.has(next)).toBe(true);
      expect(ofAccount(next.account_id)).toBe(fewest);
      begun.push(next);
    }
    for (const each of lines)
      expect(each.under_way).toBe(begun.filter((other) => other === each).length);
    expect(order.taken()).toBe(begun.length);
  }
});
