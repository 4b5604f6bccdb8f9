import { Type, type Static } from "typebox";
import { Maybe, Moment, Nullable, OneOf } from "../../domain/schema.ts";
import { knownScopes } from "../../domain/scopes.ts";

export const NewToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 80, examples: ["Warehouse rates"] }),
    scopes: Type.Array(OneOf(knownScopes), {
      minItems: 1,
      examples: [["rates:read", "shipments:write"]],
    }),
    expires_at: Maybe(
      Type.String({ format: "date-time", description: "Not together with expires_in_days." }),
    ),
    expires_in_days: Maybe(Type.Integer({ minimum: 1, maximum: 3650 })),
  },
  { $id: "NewToken" },
);
export type NewToken = Static<typeof NewToken>;

export const Rotation = Type.Object({
  overlap_seconds: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: "How long the old token goes on working beside the new one; 0 by default.",
    }),
  ),
});

const fields = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  environment: OneOf(["live", "test"]),
  last_four: Type.String(),
  created_at: Moment(),
  created_by: Type.String({ description: "The token that minted it, or `operator`." }),
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
    token: Type.String({ description: "The token itself: shown this once, stored nowhere." }),
  },
  { $id: "MintedToken" },
);
