import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fastify } from "fastify";
import pg from "pg";

/**
 * The bare baseline: Fastify and `pg`, named statements, no authentication, no schemas, no limits.
 * It answers the same shipment rows that the product answers, from the same database, and buys labels without
 * reservation, ledger or recovery. The difference between the two is the cost of Waybill.
 */
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
const app = fastify();

app.get<{ Params: { account_id: string; id: string } }>(
  "/bare/:account_id/:id",
  async ({ params }) => {
    const { rows } = await pool.query({
      name: "bare_get",
      text: "SELECT * FROM shipments WHERE account_id = $1 AND id = $2",
      values: [params.account_id, params.id],
    });
    return { data: rows[0] as unknown };
  },
);

app.get<{ Params: { account_id: string }; Querystring: { below: string } }>(
  "/bare/:account_id",
  async ({ params, query }) => {
    const { rows } = await pool.query({
      name: "bare_list",
      text: "SELECT * FROM shipments WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT 25",
      values: [params.account_id, query.below],
    });
    return { data: rows as unknown[] };
  },
);

app.post<{ Params: { account_id: string } }>("/bare/:account_id", async ({ params, body }) => {
  const row = { ...(body as object), account_id: params.account_id };
  await pool.query({
    name: "bare_insert",
    text: "INSERT INTO shipments SELECT * FROM jsonb_populate_recordset(NULL::shipments, $1::jsonb)",
    values: [JSON.stringify([row])],
  });
  return { data: row };
});

/** A purchase as a script would make it: a row, the carrier's call, a file, the row again. The body is the carrier's. */
app.post("/bare-labels", async ({ body }) => {
  const { reference } = body as { reference: string };
  await pool.query({
    name: "bare_begin",
    text: "INSERT INTO bare_labels (reference) VALUES ($1)",
    values: [reference],
  });
  const response = await fetch(`${process.env["WAYBILL_SIMULATOR_URL"]}/carriers/ups/labels`, {
    method: "POST",
    headers: { authorization: "Bearer sim_test_bare", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as {
    data: { tracking_code: string; amount_cents: number; label: { content: string } };
  };
  const file = join(process.env["WAYBILL_DATA_DIR"]!, `${reference}.pdf`);
  await writeFile(file, Buffer.from(data.label.content, "base64"), { flush: true });
  await pool.query({
    name: "bare_end",
    text: "UPDATE bare_labels SET tracking_code = $2, amount_cents = $3 WHERE reference = $1",
    values: [reference, data.tracking_code, data.amount_cents],
  });
  return { data: { reference, tracking_code: data.tracking_code } };
});

await pool.query(
  "CREATE TABLE bare_labels (reference text PRIMARY KEY, tracking_code text, amount_cents bigint)",
);
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
