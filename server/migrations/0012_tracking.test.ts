import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations } from "../src/database/migrate.ts";
import { bareDatabase } from "../test/setup/database.ts";

const before = readMigrations().filter(({ name }) => name < "0012");

test("what is on its way when the release comes is followed, and nothing else", async () => {
  const { db, close } = await bareDatabase();
  onTestFinished(close);
  await migrate(db, before);
  const ship = async (id: string, columns: Record<string, unknown>) => {
    const row = {
      account_id: "acc_1",
      id,
      type: "courier",
      carrier: "ups",
      ship_code: id,
      revision: 1,
      ...Object.fromEntries(["from_address", "to_address", "return_address"].map((a) => [a, {}])),
      is_return: false,
      handling_units: [],
      items: [],
      add_ons: [],
      documents: [],
      metadata: {},
      tags: [],
      messages: [],
      created_at: "2026-10-01T00:00:00Z",
      updated_at: "2026-10-01T00:00:00Z",
      ...columns,
    };
    await sql`INSERT INTO shipments SELECT * FROM jsonb_populate_record(NULL::shipments, ${JSON.stringify(row)}::jsonb)`.execute(
      db,
    );
  };
  const packages = (...codes: (string | null)[]) =>
    codes.map((tracking_code, index) => ({ id: `pkg_${tracking_code}${index}`, tracking_code }));
  const sold = { purchased_at: "2026-10-02T00:00:00Z", tracking_status: "pre_transit" };
  await ship("shp_two", {
    ...sold,
    status: "purchased",
    tracking_code: "A",
    packages: packages("A", "B"),
  });
  await ship("shp_draft", { status: "draft", packages: packages(null) });
  const gone = { ...sold, tracking_code: "C", packages: packages("C") };
  await ship("shp_gone", { ...gone, status: "voided", refund_status: "approved" });
  const going = { ...sold, tracking_code: "D", packages: packages("D") };
  await ship("shp_going", { ...going, status: "voided", refund_status: "pending" });
  const freight = { type: "ltl", carrier: "day_ross", packages: [] };
  await ship("shp_freight", { ...freight, status: "booked", tracking_code: "E" });

  await migrate(db);

  const { rows } = await sql`
    SELECT id, shipment_id, carrier, tracking_code, status, look_at BETWEEN now() - interval '1 minute' AND now() + interval '1 hour' AS is_soon
    FROM trackers ORDER BY tracking_code`.execute(db);
  const tracker = (tracking_code: string, id: string, shipment_id: string, carrier = "ups") => ({
    id,
    shipment_id,
    carrier,
    tracking_code,
    status: "pre_transit",
    is_soon: true,
  });
  expect(rows).toEqual([
    tracker("A", "trk_A0", "shp_two"),
    tracker("B", "trk_B1", "shp_two"),
    tracker("D", "trk_D0", "shp_going"),
    tracker("E", "trk_freight", "shp_freight", "day_ross"),
  ]);
});
