-- compatible with 0040
-- People who sign in. A person may serve several organizations, so memberships take the place of
-- `users.organization_id`, which the release before still writes and a later one drops.
ALTER TABLE users
  ALTER COLUMN organization_id DROP NOT NULL,
  -- Null until the person has chosen a password.
  ALTER COLUMN password_hash DROP NOT NULL,
  ADD COLUMN name text NOT NULL DEFAULT '',
  ADD COLUMN locale text NOT NULL DEFAULT 'en',
  -- Sealed; in force once it was confirmed by a code.
  ADD COLUMN totp_secret text,
  ADD COLUMN totp_confirmed_at timestamptz,
  -- The newest step of time whose code was used: none is accepted twice.
  ADD COLUMN totp_step bigint NOT NULL DEFAULT 0,
  ADD COLUMN preferences jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN disabled_at timestamptz;
UPDATE users SET email = lower(email) WHERE email <> lower(email);

CREATE TABLE memberships (
  organization_id id NOT NULL REFERENCES organizations,
  user_id         id NOT NULL REFERENCES users,
  role            text NOT NULL CHECK (role IN ('owner', 'shipper', 'developer', 'finance', 'viewer')),
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);
INSERT INTO memberships (organization_id, user_id, role)
  SELECT organization_id, id, 'owner' FROM users WHERE organization_id IS NOT NULL;

-- Those who run the platform, as people; `operator_tokens` are for programs.
CREATE TABLE operators (
  id                id PRIMARY KEY,
  email             text NOT NULL UNIQUE,
  name              text NOT NULL DEFAULT '',
  password_hash     text,
  totp_secret       text,
  totp_confirmed_at timestamptz,
  totp_step         bigint NOT NULL DEFAULT 0,
  disabled_at       timestamptz,
  created_at        timestamptz NOT NULL DEFAULT now()
);
