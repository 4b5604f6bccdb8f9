import { Type } from "typebox";
import { sendWithCookie } from "../../http/auth-api.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import { becomeStrong, changePassword, signOut } from "./me.ts";
import type { ContextOf } from "./routes.ts";
import * as schemas from "./schemas.ts";
import { confirmTotp, removeTotp, startTotp } from "./second-factor.ts";
import { finishSignIn, signIn } from "./sign-in.ts";
import { getPerson } from "./store.ts";
import { toSignedInOperator } from "./views.ts";

/** The same for those who run the platform, by a cookie of its own. */
export const operatorRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    await operatorSignIn(contextOf)(app);
    await ownRoutes(contextOf)(app);
    await factorRoutes(contextOf)(app);
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

    app.post(
      "/operator/me/password",
      {
        config: { audience: "operator" },
        schema: {
          operationId: "changeOperatorPassword",
          summary: "Change an operator's own password; other sessions end",
          body: schemas.PasswordChange,
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await changePassword(contextOf(request), "operator", request.body);
        return reply.status(204).send(null);
      },
    );

    app.post(
      "/operator/strong",
      {
        config: { audience: "operator" },
        schema: {
          operationId: "becomeStrongAsOperator",
          summary: "Give the password again, for a quarter of an hour",
          body: schemas.OnePassword,
          response: { 200: DataOf(schemas.Strong) },
        },
      },
      async (request) => ({
        data: await becomeStrong(contextOf(request), "operator", request.body.password),
      }),
    );
  };

const factorRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    app.post(
      "/operator/me/totp",
      {
        config: { audience: "unfinished_operator" },
        schema: {
          operationId: "startOperatorTotp",
          summary: "Make a secret for an authenticator app, not yet in force",
          response: { 201: DataOf(schemas.NewTotp) },
        },
      },
      async (request, reply) =>
        reply.status(201).send({ data: await startTotp(contextOf(request), "operator") }),
    );

    app.post(
      "/operator/me/totp/confirm",
      {
        config: { audience: "unfinished_operator" },
        schema: {
          operationId: "confirmOperatorTotp",
          summary: "Put the secret in force by a code; shows the recovery codes",
          body: schemas.OneCode,
          response: { 200: DataOf(schemas.RecoveryCodes) },
        },
      },
      async (request, reply) => {
        const result = await confirmTotp(contextOf(request), "operator", request.body.code);
        return sendWithCookie(request, reply, result);
      },
    );

    app.delete(
      "/operator/me/totp",
      {
        config: { audience: "strong_operator" },
        schema: {
          operationId: "removeOperatorTotp",
          summary: "Put an operator's second factor out of force",
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await removeTotp(contextOf(request), "operator");
        return reply.status(204).send(null);
      },
    );
  };
