import { Type } from "typebox";
import { Environment } from "../../domain/accounts/environment.ts";
import { Scope } from "../../domain/accounts/scopes.ts";
import { Maybe, Moment, OneOf } from "../../domain/values/schema.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import { membershipOf } from "../../http/session-caller.ts";
import {
  approveDevice,
  deviceErrors,
  isDeviceError,
  showDevice,
  startDevice,
  takeDeviceToken,
} from "./device.ts";
import type { ContextOf } from "./routes.ts";
import { Nothing } from "./schemas.ts";

/** How programs sign in: RFC 8628, whose two paths have its bodies and errors instead of ours. */
export const deviceRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    await programRoutes(contextOf)(app);
    await approvalRoutes(contextOf)(app);
  };

const Started = Type.Object(
  {
    device_code: Type.String(),
    user_code: Type.String(),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer(),
    interval: Type.Integer(),
  },
  { $id: "DeviceLogin" },
);
const Granted = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String(),
    scope: Type.String(),
    environment: Environment,
  },
  { $id: "DeviceToken" },
);
const text = Type.String({ maxLength: 200 });

const programRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    const config = { audience: "anyone", urlencoded: true } as const;

    app.post(
      "/device",
      {
        config,
        schema: {
          operationId: "startDevice",
          summary: "Begin the sign-in of a program",
          body: Type.Object({ client_id: Type.Optional(text), scope: Type.Optional(text) }),
          response: { 200: Started },
        },
      },
      async (request) => startDevice(contextOf(request), request.body.client_id ?? ""),
    );

    app.post(
      "/device/token",
      {
        config,
        schema: {
          operationId: "takeDeviceToken",
          summary: "Fetch the token of an approved program, once",
          body: Type.Object({
            device_code: Type.Optional(text),
            grant_type: Type.Optional(text),
            client_id: Type.Optional(text),
          }),
          response: {
            200: Granted,
            400: Type.Object({ error: OneOf(deviceErrors) }, { $id: "DeviceRefusal" }),
          },
        },
      },
      async (request, reply) => {
        const answer = await takeDeviceToken(contextOf(request), request.body);
        return isDeviceError(answer) ? reply.status(400).send(answer) : answer;
      },
    );
  };

const approvalRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    // A code under which nothing waits.
    const config = { audience: "user", errors: ["not_found"] } as const;

    app.get(
      "/device",
      {
        config,
        schema: {
          operationId: "getDevice",
          summary: "The program that waits under a code",
          querystring: Type.Object({ user_code: text }),
          response: {
            200: DataOf(
              Type.Object({ client: Type.String(), created_at: Moment(), expires_at: Moment() }),
            ),
          },
        },
      },
      async (request) => {
        const { user_code } = request.query;
        const { client, created_at, expires_at } = await showDevice(contextOf(request), user_code);
        const [created, expires] = [created_at.toISOString(), expires_at.toISOString()];
        return { data: { client, created_at: created, expires_at: expires } };
      },
    );

    app.post(
      "/device/approve",
      {
        config,
        schema: {
          operationId: "approveDevice",
          summary: "Let a program that waits have a token",
          body: Type.Object({
            user_code: text,
            scopes: Type.Array(Scope, { minItems: 1, uniqueItems: true }),
            environment: Environment,
            name: Maybe(Type.String({ maxLength: 80 })),
          }),
          response: { 204: Nothing },
        },
      },
      async (request, reply) => {
        const ctx = contextOf(request);
        const membership = membershipOf(ctx.user!, request.headers["x-waybill-organization"]);
        const { name, ...approval } = request.body;
        await approveDevice(ctx, membership, { ...approval, name: name ?? "waybill login" });
        return reply.status(204).send(null);
      },
    );
  };
