import { expect, test } from "vitest";
import {
  createWaybill,
  InsufficientCredits,
  ScopeMissing,
  ValidationFailed,
  type RequestSeen,
  type ResponseSeen,
} from "../src/index.ts";
import { aFetch, refusal } from "./fakes.ts";

test("environment and path follow from the token, and one that does not fit is refused at once", async () => {
  const server = aFetch(() => Response.json({ data: {} }));
  for (const token of ["wb_live_a", "wb_test_a"])
    await createWaybill({ ...server, token }).credits.balance();
  await createWaybill({ ...server, token: undefined, environment: "sandbox" }).credits.balance();
  expect(server.calls.map(({ url }) => url.pathname)).toEqual([
    "/api/v5/credits/balance",
    "/sandbox/api/v5/credits/balance",
    "/sandbox/api/v5/credits/balance",
  ]);
  expect(() => createWaybill({ token: "wb_live_a", environment: "sandbox" })).toThrow(TypeError);
  expect(() => createWaybill({ token: "another" })).toThrow(TypeError);
});

test("a session sends no token, and names its organization", async () => {
  const server = aFetch(() => Response.json({ data: {} }));
  await createWaybill({
    ...server,
    token: undefined,
    organization: "org_1",
  }).credits.balance();
  const { headers } = server.calls[0]!;
  expect(headers).toMatchObject({ "x-waybill-organization": "org_1" });
  expect(headers).not.toHaveProperty("authorization");
});

test("ids are escaped, lists have commas, what is undefined is left out", async () => {
  const server = aFetch(() => Response.json({ data: [], meta: {}, links: {} }));
  const waybill = createWaybill(server);
  await waybill.products.get("a/b ?");
  await waybill.shipments.list({ status: ["exception", "draft"], q: undefined }).page();
  expect(server.calls.map(({ url }) => url.pathname + url.search)).toEqual([
    "/sandbox/api/v5/products/a%2Fb%20%3F",
    "/sandbox/api/v5/shipments?status=exception%2Cdraft",
  ]);
  expect(() => waybill.shipments.get("")).toThrow("shipment_id is missing");
});

test("an answer has its facts, and its response when it is asked for", async () => {
  const headers = { "request-id": "req_9", "idempotent-replay": "true" };
  const waybill = createWaybill(
    aFetch(() => Response.json({ data: { id: "shp_1" } }, { headers })),
  );
  const { result, response } = await waybill.shipments.get("shp_1").withResponse();
  expect(result).toEqual({ data: { id: "shp_1" }, isReplay: true, requestId: "req_9" });
  expect([response.status, response.headers.get("request-id")]).toEqual([200, "req_9"]);
  const empty = createWaybill(aFetch(() => new Response(null, { status: 204 })));
  expect((await empty.orders.delete("ord_1")).data).toBeNull();
});

test("a failure that is taken with its response is reported once", async () => {
  const waybill = createWaybill(aFetch(() => refusal(404, "not_found")));
  await expect(waybill.shipments.get("shp_1").withResponse()).rejects.toThrow("not_found");
});

test("hooks see every try, and neither token nor body", async () => {
  const seen: (RequestSeen | ResponseSeen)[] = [];
  const server = aFetch((call) =>
    call === 1 ? refusal(503, "unavailable") : Response.json({ data: {} }),
  );
  const waybill = createWaybill({
    ...server,
    onRequest: (each) => void seen.push(each),
    onResponse: (each) => void seen.push(each),
  });
  await waybill.labels.buy("shp_1", { service: "a secret body" });
  expect(seen.map((each) => [each.attempt, "status" in each ? each.status : null])).toEqual([
    [0, null],
    [0, 503],
    [1, null],
    [1, 200],
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/wb_test|secret/);
});

test("errors have what their code says", async () => {
  const failing = async (status: number, code: string, details: object) => {
    const waybill = createWaybill(aFetch(() => refusal(status, code, details)));
    return waybill.labels.buy("shp_1").catch((error: unknown) => error);
  };
  const poor = await failing(402, "insufficient_credits", { required: 9.5, available: 2 });
  expect(poor).toBeInstanceOf(InsufficientCredits);
  expect(poor).toMatchObject({ required: 9.5, available: 2, name: "InsufficientCredits" });
  const invalid = await failing(422, "validation_failed", { service: ["must be known."] });
  expect(invalid).toBeInstanceOf(ValidationFailed);
  expect(invalid).toMatchObject({ fields: { service: ["must be known."] } });
  const forbidden = await failing(403, "scope_missing", { required_scopes: ["labels:create"] });
  expect(forbidden).toBeInstanceOf(ScopeMissing);
  expect(forbidden).toMatchObject({ requiredScopes: ["labels:create"] });
});
