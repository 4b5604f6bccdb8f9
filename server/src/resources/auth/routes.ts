import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { sendWithCookie } from "../../http/auth-api.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import type { AuthContext } from "./context.ts";
import { deviceRoutes } from "./device-routes.ts";
import { factorRoutes, factorsOfUsers } from "./factor-routes.ts";
import { openMailer } from "./mail.ts";
import { changeMe, endSession, keepPreferences, showMe, signOut } from "./me.ts";
import { memberRoutes } from "./member-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { passwordWork } from "./passwords.ts";
import * as schemas from "./schemas.ts";
import { finishSignIn, signIn } from "./sign-in.ts";
import * as store from "./store.ts";
import { throttleTries } from "./throttle.ts";
import { toSession, toSignedInUser } from "./views.ts";

/** The context of a request's verb. */
export type ContextOf = (request: FastifyRequest) => AuthContext;

/** `/api/auth`: sign-in and people. Each route states whom it is for. */
export const authRoutes =
  (platform: Platform): Routes =>
  async (app) => {
    const shared = {
      passwords: passwordWork(),
      throttle: throttleTries(platform.clock),
      mailer: openMailer(platform),
    };
    const contextOf: ContextOf = ({ visit }) => ({ ...visit, ...shared });
    await signInRoutes(contextOf)(app);
    await ownRoutes(contextOf)(app);
    await factorRoutes(contextOf, factorsOfUsers)(app);
    await memberRoutes(contextOf)(app);
    await operatorRoutes(contextOf)(app);
    await deviceRoutes(contextOf)(app);
  };

const signInRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    app.post(
      "/sign-in",
      {
        config: { audience: "anyone" },
        schema: {
          operationId: "signIn",
          summary: "Sign in by e-mail and password",
          body: schemas.Credentials,
          response: { 200: DataOf(schemas.SignedInUser) },
        },
      },
      async (request, reply) => {
        const { data, cookie } = await signIn(contextOf(request), "user", request.body);
        return sendWithCookie(request, reply, { data: toSignedInUser(data), cookie });
      },
    );

    app.post(
      "/sign-in/totp",
      {
        config: { audience: "unfinished_user" },
        schema: {
          operationId: "finishSignIn",
          summary: "Finish a sign-in by a code of the second factor, or a recovery code",
          body: schemas.OneCode,
          response: { 200: DataOf(schemas.SignedInUser) },
        },
      },
      async (request, reply) => {
        const { data, cookie } = await finishSignIn(contextOf(request), "user", request.body.code);
        return sendWithCookie(request, reply, { data: toSignedInUser(data), cookie });
      },
    );

    app.post(
      "/sign-out",
      {
        config: { audience: "anyone" },
        schema: {
          operationId: "signOut",
          summary: "End the session",
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await signOut(contextOf(request));
        sendWithCookie(request, reply, { data: null, cookie: { kind: "ses", value: null } });
        return reply.status(204).send(null);
      },
    );
  };

const ownRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    const config = { audience: "user" } as const;

    app.get(
      "/me",
      {
        config,
        schema: {
          operationId: "getMe",
          summary: "The signed-in person, and what each role opens",
          response: { 200: DataOf(schemas.Me) },
        },
      },
      async (request) => ({ data: await showMe(contextOf(request)) }),
    );

    app.put(
      "/me",
      {
        config,
        schema: {
          operationId: "changeMe",
          summary: "Change one's name or language",
          body: schemas.ChangedMe,
          response: { 200: DataOf(schemas.Me) },
        },
      },
      async (request) => ({ data: await changeMe(contextOf(request), request.body) }),
    );

    app.get(
      "/me/preferences",
      {
        config,
        schema: {
          operationId: "getPreferences",
          summary: "What one's pages look like",
          response: { 200: DataOf(schemas.Preferences) },
        },
      },
      async (request) => {
        const { db, user } = contextOf(request);
        return { data: (await store.getProfile(db, user!.user_id)).preferences };
      },
    );

    app.put(
      "/me/preferences",
      {
        config,
        schema: {
          operationId: "replacePreferences",
          summary: "Replace them: any JSON object of at most 64 KiB",
          body: schemas.Preferences,
          response: { 200: DataOf(schemas.Preferences) },
        },
      },
      async (request) => {
        await keepPreferences(contextOf(request), request.body);
        return { data: request.body };
      },
    );

    app.get(
      "/sessions",
      {
        config,
        schema: {
          operationId: "listSessions",
          summary: "Where one is signed in",
          response: { 200: DataOf(Type.Array(schemas.Session)) },
        },
      },
      async (request) => {
        const { db, user, clock } = contextOf(request);
        const person = { kind: "user" as const, id: user!.user_id };
        const rows = await store.listSessions(db, person, clock.now());
        return { data: rows.map((row) => toSession(row, user!.id)) };
      },
    );

    app.delete(
      "/sessions/:session_id",
      {
        config,
        schema: {
          operationId: "endSession",
          summary: "End one of one's sessions",
          params: Type.Object({ session_id: Type.String() }),
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await endSession(contextOf(request), request.params.session_id);
        return reply.status(204).send(null);
      },
    );
  };
