import { fastify } from "fastify";
import pg from "pg";

/**
 * The bare baseline: Fastify and `pg`, one named statement, no authentication, no schemas, no limits.
 * It answers the same shipment row that the product answers, from the same database. The difference
 * between the two is the cost of Waybill.
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

app.post<{ Params: { account_id: string } }>("/bare/:account_id", async ({ params, body }) => {
  const row = { ...(body as object), account_id: params.account_id };
  await pool.query({
    name: "bare_insert",
    text: "INSERT INTO shipments SELECT * FROM jsonb_populate_recordset(NULL::shipments, $1::jsonb)",
    values: [JSON.stringify([row])],
  });
  return { data: row };
});

console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
