import { Type } from "typebox";
import { Environment } from "../../domain/accounts/environment.ts";
import { Role } from "../../domain/accounts/roles.ts";
import { Scope } from "../../domain/accounts/scopes.ts";
import { Maybe, Moment, Nullable, OneOf } from "../../domain/values/schema.ts";
import { passwordLength } from "./passwords.ts";

export const Email = Type.String({
  format: "email",
  maxLength: 200,
  examples: ["ada@example.com"],
});
/** A password to be checked: one that is too short is wrong, not badly formed. */
export const GivenPassword = Type.String({ maxLength: 200 });
export const NewPassword = Type.String(passwordLength);
export const Code = Type.String({ minLength: 6, maxLength: 40, examples: ["492039"] });
const PersonName = Type.String({ minLength: 1, maxLength: 100 });

export const Credentials = Type.Object({ email: Email, password: GivenPassword });
export const OnePassword = Type.Object({ password: GivenPassword });
export const OneCode = Type.Object({ code: Code });
export const PasswordChange = Type.Object({ password: GivenPassword, new_password: NewPassword });
export const Nothing = Type.Null({ description: "Done" });

const OrganizationName = Type.Object(
  { id: Type.String(), name: Type.String() },
  { $id: "Organization" },
);
const BriefMembership = Type.Object(
  { organization: OrganizationName, role: Role },
  { $id: "Membership" },
);
const BriefUser = { id: Type.String(), email: Type.String(), name: Type.String() };

const next = Nullable(
  OneOf(["totp", "totp_setup"], {
    description: "What the sign-in still lacks: a code, or the setting up of a second factor.",
  }),
);
export const SignedInUser = Type.Object(
  { user: Type.Object(BriefUser), memberships: Type.Array(BriefMembership), next },
  { $id: "SignedInUser" },
);
export const SignedInOperator = Type.Object(
  { operator: Type.Object(BriefUser), next },
  { $id: "SignedInOperator" },
);

export const Me = Type.Object(
  {
    user: Type.Object({ ...BriefUser, locale: Type.String(), has_totp: Type.Boolean() }),
    memberships: Type.Array(
      Type.Object({
        organization: OrganizationName,
        role: Role,
        accounts: Type.Array(
          Type.Object({
            id: Type.String(),
            environment: Environment,
            is_suspended: Type.Boolean(),
            scopes: Type.Array(Scope),
          }),
        ),
      }),
    ),
    session_id: Type.String(),
    strong_until: Nullable(
      Moment({ description: "Until when the password counts as just given." }),
    ),
  },
  { $id: "Me" },
);
export const ChangedMe = Type.Object(
  {
    name: Type.Optional(PersonName),
    locale: Type.Optional(OneOf(["en", "fr"])),
  },
  { $id: "ChangedMe", additionalProperties: false, minProperties: 1 },
);
export const Preferences = Type.Object({}, { additionalProperties: true, $id: "Preferences" });

export const Session = Type.Object(
  {
    id: Type.String(),
    is_current: Type.Boolean(),
    created_at: Moment(),
    seen_at: Moment({ description: "To the minute." }),
    expires_at: Moment(),
    ip: Type.String(),
    user_agent: Type.String(),
  },
  { $id: "Session" },
);

export const NewTotp = Type.Object(
  { secret: Type.String(), otpauth_url: Type.String() },
  { $id: "NewTotp" },
);
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), { description: "Shown this once; each works once." }),
  },
  { $id: "RecoveryCodes" },
);
export const Strong = Type.Object({ strong_until: Moment() }, { $id: "Strong" });

export const Member = Type.Object(
  {
    user_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Role,
    has_totp: Type.Boolean(),
    created_at: Moment(),
  },
  { $id: "Member" },
);

const invitation = {
  id: Type.String(),
  email: Type.String(),
  role: Role,
  invited_by: Type.String(),
  created_at: Moment(),
  expires_at: Moment(),
};
export const Invitation = Type.Object(invitation, { $id: "Invitation" });
export const SentInvitation = Type.Object(
  {
    ...invitation,
    link: Type.String({ description: "Only this answer shows it." }),
    is_mailed: Type.Boolean(),
  },
  { $id: "SentInvitation" },
);
export const NewInvitation = Type.Object({ email: Email, role: Role }, { $id: "NewInvitation" });
export const ShownInvitation = Type.Object(
  {
    organization: OrganizationName,
    email: Type.String(),
    role: Role,
    has_password: Type.Boolean({
      description: "The person signs in already: the present password accepts.",
    }),
    expires_at: Moment(),
  },
  { $id: "ShownInvitation" },
);
export const Acceptance = Type.Object(
  { name: Maybe(PersonName), password: Type.String({ maxLength: 200, minLength: 1 }) },
  { $id: "Acceptance" },
);
