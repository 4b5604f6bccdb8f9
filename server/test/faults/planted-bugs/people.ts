import type { PlantedBug } from "./planted-bug.ts";

/** Of tokens, roles and the dashboard. */

export const bugsOfPeople: PlantedBug[] = [
  {
    name: "count tokens in force without locking their account",
    file: "server/src/resources/tokens/store.ts",
    find: "WHERE account_id = ${accountId} FOR NO KEY UPDATE",
    replace: "WHERE account_id = ${accountId}",
    tests: ["server/src/resources/tokens/tokens.test.ts"],
    red: "many concurrent requests mint exactly as many as there is room for",
  },
  {
    name: "rotate a token without locking it",
    file: "server/src/resources/tokens/store.ts",
    find: "    .forUpdate()\n",
    replace: "",
    tests: ["server/src/resources/tokens/tokens.test.ts"],
    red: "waits for a revocation that is under way",
  },
  {
    name: "take a cookie that another site sends",
    file: "server/src/http/cross-origin.ts",
    find: "isFromOwnPages(request, own) === true) return;",
    replace: "isFromOwnPages(request, own) !== undefined) return;",
    tests: ["server/src/resources/auth/attacks.test.ts"],
    red: "an operator's cookie is refused from another site as well",
  },
  {
    name: "give a role one scope too many",
    file: "server/src/domain/accounts/roles.ts",
    find: "  viewer: reads,",
    replace: '  viewer: [...reads, "labels:create"],',
    tests: ["server/src/domain/accounts/roles.test.ts"],
    red: "a viewer changes nothing",
  },
  {
    name: "make a key for each press of a form's button",
    file: "dashboard/src/form-key.ts",
    find: "current ??= sessionStorage.getItem(place) ?? crypto.randomUUID();",
    replace: "current = crypto.randomUUID();",
    tests: ["dashboard/src/form-key.test.ts"],
    red: "two presses at once are calls with one key",
  },
  {
    name: "make a key for each press of the desk's button",
    file: "dashboard/src/screens/desk/purchase.ts",
    find: "    if (isUnderWay.current) return;\n",
    replace: "",
    tests: ["dashboard/test/journeys.browser.test.ts"],
    red: "two presses at once, a lost answer and a reload end in one label and one debit",
  },
  {
    name: "leave out a French sentence",
    file: "dashboard/src/screens/desk/words.fr.ts",
    find: '  bought: "L’étiquette est achetée",\n',
    replace: "",
    tests: ["dashboard/src/words/parity.test.ts"],
    red: "screens/desk has every sentence in both languages",
  },
  {
    name: "make a barrel of a file of the kit",
    file: "dashboard/src/kit/page.tsx",
    find: "interface Props {",
    replace: 'export * from "./data-table.tsx";\n\ninterface Props {',
    tests: ["dashboard/src/kit/no-barrels.test.ts"],
    red: "no file of the kit passes on what another one has",
  },
  {
    name: "leave a button without a name",
    file: "dashboard/src/kit/copy.tsx",
    find: "      aria-label={label ? undefined : words.copy}\n",
    replace: "",
    tests: ["dashboard/test/axe.browser.test.ts"],
    red: "/operator/reviews/$attempt_id is accessible",
  },
];
