/**
 * What a tenant may send within its limits to slow others down. Each attack is a request that is sent so many
 * times concurrently, repeatedly, until its time is over; some need resources of their own made before.
 */
interface Attack {
  name: string;
  at_once: number;
  /** Makes what the attack needs; its end is not measured. */
  prepare?(call: Call): Promise<void>;
  request(turn: number): { method: string; path: string; body?: string };
  tidy?(call: Call): Promise<void>;
}

/** Sends one request as the attacker; `data` of the response, or null. */
export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** New accounts have no address of their own. */
export const from_address = {
  name: "Rideau Paper Co",
  address1: "111 Wellington Street",
  city: "Ottawa",
  province_code: "ON",
  postal_code: "K1A 0A9",
  country_code: "CA",
  phone: "613-555-0142",
};
const address = {
  name: "Greedy Goods",
  address1: "275 Rue Notre-Dame Est",
  city: "Montréal",
  province_code: "QC",
  postal_code: "H2Y 1C6",
  country_code: "CA",
};
const abroad = {
  name: "Li Wei",
  address1: "11 Broadway",
  city: "New York",
  province_code: "NY",
  postal_code: "10004",
  country_code: "US",
  phone: "212-555-0142",
};
const parcel = { weight: 2, weight_unit: "lbs", length: 10, width: 8, height: 4, size_unit: "in" };
const entry = { from_address, to_address: address, packages: [parcel] };

function items(count: number, title: (place: number) => string) {
  return Array.from({ length: count }, (_, place) => ({
    title: title(place),
    quantity: 1,
    value: 3,
    currency: "CAD",
    country_of_origin: "CA",
    hs_code: "610910",
  }));
}

const hundred = (word: string) => word.repeat(100).slice(0, 100);
const textConditions = Array.from({ length: 50 }, (_, place) => ({
  field: "items.title",
  operator: "not_contains",
  value: hundred(`absent ${place} `),
}));
const fatEntry = { ...entry, items: items(50, (place) => hundred(`Cotton shirt ${place} `)) };
const post = (path: string, body: unknown) => {
  const text = JSON.stringify(body);
  return () => ({ method: "POST", path, body: text });
};

async function createMany(call: Call, count: number, row: object): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const rows = Array(Math.min(100, count - ids.length)).fill(row);
    const created = (await call("POST", "/shipments", rows)) as { data: { id: string } }[];
    ids.push(...created.map(({ data }) => data.id));
  }
  return ids;
}

function invoice(script: string): Attack["request"] {
  const title = (place: number) => script.repeat(200).slice(0, 190) + String(place);
  const lines = items(500, title).map((item) => ({ ...item, value: 1 }));
  return post("/labels", {
    from_address,
    to_address: abroad,
    packages: [{ ...parcel, package_contents: "gift" }],
    items: lines,
    service: "cheapest",
  });
}

const spaces = (count: number) => " ".repeat(count);
const products = (count: number, description: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => ({
    sku: `GREEDY-${place}`,
    title: `T-shirt ${place}`,
    description: description(place),
    country_of_origin: "CA",
  }));

let own: string[] = [];
let rules: string[] = [];

export const attacks: Attack[] = [
  {
    name: "C1 classify 8,000 spaces",
    at_once: 8,
    request: post("/products/classify", {
      title: "t-shirt",
      description: spaces(8000),
      country_of_origin: "CA",
      destination_country: "US",
    }),
  },
  {
    name: "C1 import 60 rows of spaces",
    at_once: 2,
    request: post("/imports/products", {
      format: "json",
      products: products(60, (place) => `x${place}.${spaces(7900)}y`),
    }),
  },
  {
    name: "H1 30 filter previews over 60,000 items",
    at_once: 30,
    prepare: async (call) => void (await createMany(call, 1200, fatEntry)),
    request: post("/filters/preview", {
      target: "shipments",
      criteria: { match: "all", conditions: textConditions },
    }),
  },
  {
    name: "H2 200 rules over bulks of 380 × 50 items",
    at_once: 4,
    prepare: async (call) => {
      for (let made = 0; made < 200; made++) {
        const rule = (await call("POST", "/rules", {
          name: `Greedy ${made}`,
          trigger: "shipment.created",
          criteria: {
            match: "all",
            conditions: textConditions.map((each) => ({ ...each, operator: "contains" })),
          },
          actions: [{ type: "add_tag", tag: "greedy" }],
        })) as { id: string };
        rules.push(rule.id);
      }
    },
    request: post("/shipments", Array(380).fill(fatEntry)),
    tidy: async (call) => {
      for (const id of rules) await call("DELETE", `/rules/${id}`);
      rules = [];
    },
  },
  { name: "H3 labels with 500 items in Chinese", at_once: 4, request: invoice("棉质衬衫") },
  { name: "H3 labels with 500 items in Hebrew", at_once: 4, request: invoice("חולצת כותנה ") },
  {
    name: "slow rates, 200 at once",
    at_once: 200,
    prepare: async (call) => {
      const slow = { ...address, address2: "sim:slow=ups:9000;slow=fedex:9000" };
      own = await createMany(call, 100, { ...entry, to_address: slow });
    },
    request: (turn) => ({ method: "GET", path: `/rates/${own[turn % own.length]}` }),
  },
  {
    name: "fat bulks of 4.5 MB",
    at_once: 8,
    request: post("/shipments", Array(380).fill(fatEntry)),
  },
  {
    name: "imports of 5 MB",
    at_once: 4,
    request: post("/imports/products", {
      format: "json",
      products: products(4000, (place) => `Cotton shirt ${place}, ${"soft ".repeat(200)}`),
    }),
  },
  {
    name: "large pages by number, and searches",
    at_once: 30,
    prepare: async (call) => void (await createMany(call, 1200, fatEntry)),
    request: (turn) => ({
      method: "GET",
      path: `/shipments?per_page=100&page=${1 + (turn % 12)}${turn % 2 === 0 ? "" : "&q=greedy"}`,
    }),
  },
  {
    name: "pages of 25 fat rows, 64 at once",
    at_once: 64,
    prepare: async (call) => void (await createMany(call, 100, fatEntry)),
    request: () => ({ method: "GET", path: "/shipments" }),
  },
  {
    name: "pages of 50 fat rows, 64 at once",
    at_once: 64,
    prepare: async (call) => void (await createMany(call, 100, fatEntry)),
    request: () => ({ method: "GET", path: "/shipments?per_page=50" }),
  },
  {
    name: "bulks of 20 × 50 items, 32 at once",
    at_once: 32,
    request: post("/shipments", Array(20).fill(fatEntry)),
  },
  {
    name: "purchases, 64 at once",
    at_once: 64,
    prepare: async (call) => void (own = await createMany(call, 1000, entry)),
    request: (turn) => ({
      method: "POST",
      path: `/labels/${own[turn % own.length]}`,
      body: JSON.stringify({ service: "ups.standard" }),
    }),
  },
  {
    name: "batches of 500 with combined labels",
    at_once: 1,
    prepare: async (call) => {
      own = await createMany(call, 500, { ...entry, service: "ups.standard" });
      const batch = { name: "Greedy", shipment_ids: own };
      const { id } = (await call("POST", "/batches", batch)) as { id: string };
      await call("POST", `/batches/${id}/process`, {});
      own = [id];
    },
    request: () => ({ method: "GET", path: `/batches/${own[0]}` }),
  },
];
