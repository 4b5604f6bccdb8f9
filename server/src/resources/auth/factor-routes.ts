import { sendWithCookie } from "../../http/auth-api.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import { becomeStrong, changePassword } from "./me.ts";
import type { ContextOf } from "./routes.ts";
import * as schemas from "./schemas.ts";
import { confirmTotp, removeTotp, startTotp } from "./second-factor.ts";

/** How one proves who one is: the password, and the second factor. Users and operators do it alike. */
interface Kind {
  kind: "user" | "operator";
  /** Where the URLs begin. */
  base: "" | "/operator";
  /** An operator without a second factor has to set one up before the sign-in counts; a user does it when strong. */
  enrolling: "strong_user" | "unfinished_operator";
  operation_ids: Record<"password" | "strong" | "start" | "confirm" | "remove", string>;
  summaries: Record<"password" | "remove", string>;
}

export const factorsOfUsers: Kind = {
  kind: "user",
  base: "",
  enrolling: "strong_user",
  operation_ids: {
    password: "changePassword",
    strong: "becomeStrong",
    start: "startTotp",
    confirm: "confirmTotp",
    remove: "removeTotp",
  },
  summaries: {
    password: "Change one's password; other sessions end",
    remove: "Put the second factor out of force",
  },
};

export const factorsOfOperators: Kind = {
  kind: "operator",
  base: "/operator",
  enrolling: "unfinished_operator",
  operation_ids: {
    password: "changeOperatorPassword",
    strong: "becomeStrongAsOperator",
    start: "startOperatorTotp",
    confirm: "confirmOperatorTotp",
    remove: "removeOperatorTotp",
  },
  summaries: {
    password: "Change an operator's own password; other sessions end",
    remove: "Put an operator's second factor out of force",
  },
};

/** The routes by which a user or an operator proves, and changes the proof of, who they are. */
export const factorRoutes =
  (contextOf: ContextOf, kind: Kind): Routes =>
  async (app) => {
    await passwordRoutes(contextOf, kind)(app);
    await totpRoutes(contextOf, kind)(app);
  };

const passwordRoutes =
  (contextOf: ContextOf, { kind, base, operation_ids, summaries }: Kind): Routes =>
  async (app) => {
    const config = { audience: kind };

    app.post(
      `${base}/me/password`,
      {
        config,
        schema: {
          operationId: operation_ids.password,
          summary: summaries.password,
          body: schemas.PasswordChange,
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await changePassword(contextOf(request), kind, request.body);
        return reply.status(204).send(null);
      },
    );

    app.post(
      `${base}/strong`,
      {
        config,
        schema: {
          operationId: operation_ids.strong,
          summary: "Give the password again, for a quarter of an hour",
          body: schemas.OnePassword,
          response: { 200: DataOf(schemas.Strong) },
        },
      },
      async (request) => ({
        data: await becomeStrong(contextOf(request), kind, request.body.password),
      }),
    );
  };

const totpRoutes =
  (contextOf: ContextOf, { kind, base, enrolling, operation_ids, summaries }: Kind): Routes =>
  async (app) => {
    app.post(
      `${base}/me/totp`,
      {
        config: { audience: enrolling },
        schema: {
          operationId: operation_ids.start,
          summary: "Make a secret for an authenticator app, not yet in force",
          response: { 201: DataOf(schemas.NewTotp) },
        },
      },
      async (request, reply) =>
        reply.status(201).send({ data: await startTotp(contextOf(request), kind) }),
    );

    app.post(
      `${base}/me/totp/confirm`,
      {
        config: { audience: enrolling },
        schema: {
          operationId: operation_ids.confirm,
          summary: "Put the secret in force by a code; shows the recovery codes",
          body: schemas.OneCode,
          response: { 200: DataOf(schemas.RecoveryCodes) },
        },
      },
      async (request, reply) => {
        const result = await confirmTotp(contextOf(request), kind, request.body.code);
        return sendWithCookie(request, reply, result);
      },
    );

    app.delete(
      `${base}/me/totp`,
      {
        config: { audience: `strong_${kind}` },
        schema: {
          operationId: operation_ids.remove,
          summary: summaries.remove,
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await removeTotp(contextOf(request), kind);
        return reply.status(204).send(null);
      },
    );
  };
