import { Type, type Static } from "typebox";
import { Environment } from "../../domain/accounts/environment.ts";
import { Maybe, Moment, Nullable } from "../../domain/values/schema.ts";
import { Scope } from "../../domain/accounts/scopes.ts";

/** The longest lifetime of a token that expires (decision 3). */
export const lifeDaysMax = 3650;

/** Also of tokens that are made from the shell. */
export const TokenName = Type.String({
  minLength: 1,
  maxLength: 80,
  examples: ["Warehouse rates"],
});

export const NewToken = Type.Object(
  {
    name: TokenName,
    scopes: Type.Array(Scope, {
      minItems: 1,
      uniqueItems: true,
      description: "`<resource>:write` implies `<resource>:read`.",
      examples: [["rates:read", "shipments:write"]],
    }),
    expires_at: Maybe(
      Type.String({
        format: "date-time",
        description: "At most 3650 days ahead. Not together with expires_in_days.",
      }),
    ),
    expires_in_days: Maybe(Type.Integer({ minimum: 1, maximum: lifeDaysMax })),
  },
  { $id: "NewToken" },
);
export type NewToken = Static<typeof NewToken>;

export const Rotation = Type.Object(
  {
    overlap_seconds: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: "How long the old token goes on working beside the new one.",
      }),
      { default: 0 },
    ),
  },
  { $id: "Rotation" },
);

const fields = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Unsafe<string>(Scope)),
  environment: Environment,
  last_four: Type.String(),
  created_at: Moment(),
  created_by: Type.String({ description: "The token or the user that minted it, or `operator`." }),
  expires_at: Nullable(Moment()),
  last_used_at: Nullable(Moment({ description: "To the minute." })),
  revoked_at: Nullable(
    Moment({ description: "From when it no longer works; ahead while a rotation overlaps." }),
  ),
};

export const Token = Type.Object(fields, { $id: "Token" });
export type Token = Static<typeof Token>;

export const MintedToken = Type.Object(
  {
    ...fields,
    token: Type.String({
      description:
        "The token itself. Only this answer shows it, and its replays to the same token under the same Idempotency-Key.",
    }),
  },
  { $id: "MintedToken" },
);
