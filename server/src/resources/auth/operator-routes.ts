import { Type } from "typebox";
import { sendWithCookie } from "../../http/auth-api.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import { factorRoutes, factorsOfOperators } from "./factor-routes.ts";
import { signOut } from "./me.ts";
import type { ContextOf } from "./routes.ts";
import * as schemas from "./schemas.ts";
import { finishSignIn, signIn } from "./sign-in.ts";
import { getPerson } from "./store.ts";
import { toSignedInOperator } from "./views.ts";

/** The same for those who run the platform, by a cookie of its own. */
export const operatorRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    await operatorSignIn(contextOf)(app);
    await ownRoutes(contextOf)(app);
    await factorRoutes(contextOf, factorsOfOperators)(app);
  };

const operatorSignIn =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    app.post(
      "/operator/sign-in",
      {
        config: { audience: "anyone" },
        schema: {
          operationId: "signInAsOperator",
          summary: "Sign in as an operator",
          body: schemas.Credentials,
          response: { 200: DataOf(schemas.SignedInOperator) },
        },
      },
      async (request, reply) => {
        const { data, cookie } = await signIn(contextOf(request), "operator", request.body);
        return sendWithCookie(request, reply, { data: toSignedInOperator(data), cookie });
      },
    );

    app.post(
      "/operator/sign-in/totp",
      {
        config: { audience: "unfinished_operator" },
        schema: {
          operationId: "finishSignInAsOperator",
          summary: "Finish an operator's sign-in by a code",
          body: schemas.OneCode,
          response: { 200: DataOf(schemas.SignedInOperator) },
        },
      },
      async (request, reply) => {
        const { data, cookie } = await finishSignIn(
          contextOf(request),
          "operator",
          request.body.code,
        );
        return sendWithCookie(request, reply, { data: toSignedInOperator(data), cookie });
      },
    );

    app.post(
      "/operator/sign-out",
      {
        config: { audience: "anyone" },
        schema: {
          operationId: "signOutAsOperator",
          summary: "End the operator's session",
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await signOut(contextOf(request));
        sendWithCookie(request, reply, { data: null, cookie: { kind: "ops", value: null } });
        return reply.status(204).send(null);
      },
    );
  };

const ownRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    const Operator = Type.Object({
      operator: Type.Object({
        id: Type.String(),
        email: Type.String(),
        name: Type.String(),
        has_totp: Type.Boolean(),
      }),
    });

    app.get(
      "/operator/me",
      {
        config: { audience: "operator" },
        schema: {
          operationId: "getOperatorMe",
          summary: "The operator who signed in",
          response: { 200: DataOf(Operator) },
        },
      },
      async (request) => {
        const { db, operator } = contextOf(request);
        const found = await getPerson(db, "operator", operator!.operator_id);
        const { id, email, name, totp_confirmed_at } = found;
        return { data: { operator: { id, email, name, has_totp: totp_confirmed_at !== null } } };
      },
    );
  };
