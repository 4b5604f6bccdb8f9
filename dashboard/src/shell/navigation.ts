import type { IconName } from "../kit/icon-paths.ts";
import type { Role } from "../session.ts";
import { productsToApprove, type Counted } from "./queries.ts";
import type en from "./words.en.ts";

export interface NavigationEntry {
  /** Behind `/app/{environment}`; `/` is the overview. */
  path: string;
  word: keyof (typeof en)["screens"];
  icon: IconName;
  /** Pressed after `g`. */
  key?: string;
  /** Any of these scopes shows the entry; without the list everybody sees it. */
  scopes?: readonly string[];
  /** Only these roles see it: what lies beside the scopes, as members do. */
  roles?: readonly Role[];
  /** Its things to do, by their number in `GET /counts`. */
  count?: Counted;
}

interface NavigationSection {
  word: keyof (typeof en)["sections"];
  entries: readonly NavigationEntry[];
}

/** The screens in the order of the side bar: one line for each. */
export const navigation: readonly NavigationSection[] = [
  {
    word: "ship",
    entries: [
      { path: "/", word: "overview", icon: "home", key: "o" },
      {
        path: "/shipments/new",
        word: "desk",
        icon: "bolt",
        key: "n",
        scopes: ["labels:create"],
      },
      { path: "/shipments", word: "shipments", icon: "box", key: "s", scopes: ["shipments:read"] },
      {
        path: "/orders",
        word: "orders",
        icon: "list",
        key: "r",
        scopes: ["orders:read"],
        count: { of: "orders", statuses: ["unfulfilled"] },
      },
      {
        path: "/batches",
        word: "batches",
        icon: "layers",
        key: "b",
        scopes: ["batches:read", "shipments:read"],
        count: { of: "batches", statuses: ["processing"] },
      },
      {
        path: "/tracking",
        word: "tracking",
        icon: "alert",
        key: "e",
        scopes: ["tracking:read"],
      },
      { path: "/pickups", word: "pickups", icon: "truck", key: "p", scopes: ["pickups:read"] },
    ],
  },
  {
    word: "goods",
    entries: [
      {
        path: "/products",
        word: "products",
        icon: "tag",
        key: "i",
        scopes: ["products:read"],
        count: productsToApprove,
      },
      { path: "/rules", word: "rules", icon: "rule", key: "u", scopes: ["automation:read"] },
      { path: "/filters", word: "filters", icon: "filter", key: "f", scopes: ["automation:read"] },
    ],
  },
  {
    word: "money",
    entries: [
      {
        path: "/billing",
        word: "billing",
        icon: "card",
        key: "m",
        scopes: ["credits:read", "billing:read"],
      },
    ],
  },
  {
    word: "settings",
    entries: [
      {
        path: "/settings/account",
        word: "account",
        icon: "gear",
        key: "a",
        scopes: ["account:read"],
      },
      {
        path: "/settings/addresses",
        word: "addresses",
        icon: "book",
        scopes: ["addresses:read"],
      },
      {
        path: "/settings/carriers",
        word: "carriers",
        icon: "globe",
        scopes: ["account:read"],
      },
      {
        path: "/settings/approval",
        word: "approval",
        icon: "check",
        scopes: ["products:read"],
      },
      { path: "/settings/profile", word: "profile", icon: "user" },
      { path: "/settings/team", word: "team", icon: "users", key: "t", roles: ["owner"] },
      {
        path: "/settings/tokens",
        word: "tokens",
        icon: "key",
        key: "k",
        scopes: ["tokens:manage"],
      },
    ],
  },
];
