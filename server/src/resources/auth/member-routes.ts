import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Role } from "../../domain/accounts/roles.ts";
import { sendWithCookie } from "../../http/auth-api.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import { acceptInvitation, invite, showInvitation, withdrawInvitation } from "./invitations.ts";
import * as store from "./member-store.ts";
import { changeRole, removeMember, requireOwner } from "./members.ts";
import { askForReset, resetPassword, showReset } from "./resets.ts";
import type { ContextOf } from "./routes.ts";
import * as schemas from "./schemas.ts";
import { toInvitation, toMember, toSignedInUser } from "./views.ts";

/** An organization's members, and the links by which people come in. */
export const memberRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    await membersOfOrganization(contextOf)(app);
    await invitationsOfOrganization(contextOf)(app);
    await linkRoutes(contextOf)(app);
    await resetRoutes(contextOf)(app);
  };

const organization = { organization_id: Type.String() };

/** Refuses others than owners before their body is read: the check of a role comes before its (decision 2). */
const ownersOnly =
  (contextOf: ContextOf) =>
  async (request: FastifyRequest): Promise<void> => {
    const { organization_id } = request.params as { organization_id: string };
    requireOwner(contextOf(request), organization_id);
  };

const membersOfOrganization =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    app.get(
      "/organizations/:organization_id/members",
      {
        config: { audience: "user" },
        schema: {
          operationId: "listMembers",
          summary: "List an organization's members; for its owners",
          params: Type.Object(organization),
          response: { 200: DataOf(Type.Array(schemas.Member)) },
        },
      },
      async (request) => {
        const ctx = contextOf(request);
        const { organization_id } = request.params;
        requireOwner(ctx, organization_id);
        return { data: (await store.listMembers(ctx.db, organization_id)).map(toMember) };
      },
    );

    const params = Type.Object({ ...organization, user_id: Type.String() });

    app.put(
      "/organizations/:organization_id/members/:user_id",
      {
        config: { audience: "strong_user" },
        onRequest: ownersOnly(contextOf),
        schema: {
          operationId: "changeRole",
          summary: "Change a member's role",
          params,
          body: Type.Object({ role: Role }),
          response: { 200: DataOf(schemas.Member) },
        },
      },
      async (request) => {
        const change = { ...request.params, role: request.body.role };
        return { data: toMember(await changeRole(contextOf(request), change)) };
      },
    );

    app.delete(
      "/organizations/:organization_id/members/:user_id",
      {
        config: { audience: "strong_user" },
        schema: {
          operationId: "removeMember",
          summary: "Take a member out, or leave",
          params,
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await removeMember(contextOf(request), request.params);
        return reply.status(204).send(null);
      },
    );
  };

const invitationsOfOrganization =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    app.get(
      "/organizations/:organization_id/invitations",
      {
        config: { audience: "user" },
        schema: {
          operationId: "listInvitations",
          summary: "List the open invitations; for owners",
          params: Type.Object(organization),
          response: { 200: DataOf(Type.Array(schemas.Invitation)) },
        },
      },
      async (request) => {
        const ctx = contextOf(request);
        const { organization_id } = request.params;
        requireOwner(ctx, organization_id);
        const rows = await store.listInvitations(ctx.db, organization_id, ctx.clock.now());
        return { data: rows.map(toInvitation) };
      },
    );

    app.post(
      "/organizations/:organization_id/invitations",
      {
        config: { audience: "strong_user" },
        onRequest: ownersOnly(contextOf),
        schema: {
          operationId: "invite",
          summary: "Invite a person; only this answer shows the link",
          params: Type.Object(organization),
          body: schemas.NewInvitation,
          response: { 201: DataOf(schemas.SentInvitation) },
        },
      },
      async (request, reply) => {
        const input = { ...request.params, ...request.body };
        const { invitation, link, is_mailed } = await invite(contextOf(request), input);
        const data = { ...toInvitation(invitation), link, is_mailed };
        return reply.status(201).send({ data });
      },
    );

    app.delete(
      "/organizations/:organization_id/invitations/:invitation_id",
      {
        config: { audience: "strong_user" },
        schema: {
          operationId: "withdrawInvitation",
          summary: "Take an open invitation back",
          params: Type.Object({ ...organization, invitation_id: Type.String() }),
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        const { organization_id, invitation_id: id } = request.params;
        await withdrawInvitation(contextOf(request), { organization_id, id });
        return reply.status(204).send(null);
      },
    );
  };

const linkRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    const params = Type.Object({ token: Type.String() });
    const config = { audience: "anyone" } as const;

    app.get(
      "/invitations/:token",
      {
        config,
        schema: {
          operationId: "getInvitation",
          summary: "What a link invites to",
          params,
          response: { 200: DataOf(schemas.ShownInvitation) },
        },
      },
      async (request) => {
        const found = await showInvitation(contextOf(request), request.params.token);
        const { organization_id, organization_name, email, role, has_password } = found;
        const names = { id: organization_id, name: organization_name };
        const expires_at = found.expires_at.toISOString();
        return { data: { organization: names, email, role, has_password, expires_at } };
      },
    );

    app.post(
      "/invitations/:token",
      {
        config,
        schema: {
          operationId: "acceptInvitation",
          summary: "Accept an invitation, and sign in",
          params,
          body: schemas.Acceptance,
          response: { 200: DataOf(schemas.SignedInUser) },
        },
      },
      async (request, reply) => {
        const { token } = request.params;
        const { data, cookie } = await acceptInvitation(contextOf(request), token, request.body);
        return sendWithCookie(request, reply, { data: toSignedInUser(data), cookie });
      },
    );
  };

const resetRoutes =
  (contextOf: ContextOf): Routes =>
  async (app) => {
    const params = Type.Object({ token: Type.String() });
    const config = { audience: "anyone" } as const;

    app.post(
      "/resets",
      {
        config,
        schema: {
          operationId: "askForReset",
          summary: "Have a link for a new password mailed, if there is such a person",
          body: Type.Object({ email: schemas.Email }),
          response: { 202: DataOf(Type.Object({})) },
        },
      },
      async (request, reply) => {
        askForReset(contextOf(request), request.body);
        return reply.status(202).send({ data: {} });
      },
    );

    app.get(
      "/resets/:token",
      {
        config,
        schema: {
          operationId: "getReset",
          summary: "Whose password a link sets",
          params,
          response: { 200: DataOf(Type.Object({ email: Type.String() })) },
        },
      },
      async (request) => {
        const { email } = await showReset(contextOf(request), request.params.token);
        return { data: { email } };
      },
    );

    app.post(
      "/resets/:token",
      {
        config,
        schema: {
          operationId: "resetPassword",
          summary: "Set a new password by a link; all sessions end",
          params,
          body: Type.Object({ password: schemas.NewPassword }),
          response: { 204: schemas.Nothing },
        },
      },
      async (request, reply) => {
        await resetPassword(contextOf(request), request.params.token, request.body.password);
        return reply.status(204).send(null);
      },
    );
  };
