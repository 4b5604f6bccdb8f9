-- compatible with 0040
-- How people sign in. Only hashes of cookies, links and codes are stored.
CREATE TABLE sessions (
  token_hash   bytea PRIMARY KEY,
  id           id NOT NULL UNIQUE,
  user_id      id REFERENCES users,
  operator_id  id REFERENCES operators,
  -- What the sign-in still lacks; such a session opens nothing else.
  needs        text CHECK (needs IN ('totp', 'totp_setup')),
  created_at   timestamptz NOT NULL,
  seen_at      timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  strong_until timestamptz,
  ip           text NOT NULL,
  user_agent   text NOT NULL,
  CHECK (num_nonnulls(user_id, operator_id) = 1)
);
CREATE INDEX sessions_by_user ON sessions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sessions_by_operator ON sessions (operator_id) WHERE operator_id IS NOT NULL;

CREATE TABLE invitations (
  id              id PRIMARY KEY,
  organization_id id NOT NULL REFERENCES organizations,
  email           text NOT NULL,
  role            text NOT NULL CHECK (role IN ('owner', 'shipper', 'developer', 'finance', 'viewer')),
  token_hash      bytea NOT NULL UNIQUE,
  invited_by      id NOT NULL REFERENCES users,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  accepted_at     timestamptz
);
CREATE INDEX invitations_by_organization ON invitations (organization_id);

-- Links by which a person chooses a password, once.
CREATE TABLE one_time_links (
  token_hash  bytea PRIMARY KEY,
  user_id     id REFERENCES users,
  operator_id id REFERENCES operators,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz,
  CHECK (num_nonnulls(user_id, operator_id) = 1)
);

-- In place of a code of the second factor, each once.
CREATE TABLE recovery_codes (
  person_id id NOT NULL,
  code_hash bytea NOT NULL,
  used_at   timestamptz,
  PRIMARY KEY (person_id, code_hash)
);

-- Sign-ins of programs that a person approves in a browser (RFC 8628). The token is made when the program
-- fetches it, so that none is stored.
CREATE TABLE device_logins (
  device_hash     bytea PRIMARY KEY,
  user_code_hash  bytea NOT NULL UNIQUE,
  client          text NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  polled_at       timestamptz,
  -- Set by the approval.
  user_id         id REFERENCES users,
  organization_id id REFERENCES organizations,
  environment     text CHECK (environment IN ('live', 'test')),
  scopes          text[],
  name            text
);

-- The accounts of a session's organization.
CREATE INDEX accounts_by_organization ON accounts (organization_id);
