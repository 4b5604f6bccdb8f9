import { Type } from "typebox";
import type { Context, Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { isId } from "../../domain/values/ids.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { send, type Routes } from "../../http/routes.ts";
import { addOperator, makeLink } from "./make-link.ts";
import { Email } from "./schemas.ts";
import * as store from "./admin-store.ts";

/** What operators may do for people: find them, and make links by which they choose a password. */
export const peopleRoutes =
  (platform: Platform): Routes =>
  async (app) => {
    app.get(
      "/users",
      {
        schema: { querystring: Type.Object({ q: Type.Optional(Type.String({ maxLength: 200 })) }) },
      },
      async ({ query }) => ({ data: await store.listUsers(platform.db, query.q ?? "") }),
    );

    app.post(
      "/users/:user_id/reset-link",
      {
        config: { secret_answer: true },
        schema: { params: Type.Object({ user_id: Type.String() }) },
      },
      async ({ ctx, params }, reply) => makeUserLink(ctx, params.user_id).then(send(reply)),
    );

    app.get("/operators", async () => ({ data: await store.listOperators(platform.db) }));

    app.post(
      "/operators",
      { config: { secret_answer: true }, schema: { body: Type.Object({ email: Email }) } },
      async ({ ctx, body }, reply) => makeOperator(ctx, body.email).then(send(reply)),
    );
  };

const MadeLink = Type.Object({ link: Type.String() });

async function makeUserLink(ctx: Context, user_id: string): Promise<StoredResponse> {
  if (!isId("usr", user_id) || !(await store.hasUser(ctx.db, user_id))) throw notFound();
  return inTransaction(ctx.db, async (tx) => {
    const link = await makeLink(tx, { kind: "user", id: user_id }, termsOf(ctx));
    return recordResponse(tx, ctx, {
      answer: answer(201, MadeLink, { link }),
      // The link has its own line.
      subject_id: null,
    });
  });
}

async function makeOperator(ctx: Context, email: string): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    const link = await addOperator(tx, email, termsOf(ctx));
    return recordResponse(tx, ctx, { answer: answer(201, MadeLink, { link }), subject_id: null });
  });
}

function termsOf(ctx: Context) {
  const origin = new URL(ctx.base_url).origin;
  return { origin, now: ctx.clock.now(), by: originOf(ctx) };
}
