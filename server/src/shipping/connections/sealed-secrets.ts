import { sealingPurpose } from "../../database/reseal.ts";
import type { Sealer } from "../../domain/accounts/sealer.ts";

/** A connection's secrets, sealed for its id, owner, carrier and environment: moved to another row they do not open. */

type Secrets = Readonly<Record<string, string>>;

interface SecretsOf {
  account_id: string;
  id: string;
  carrier: string;
  environment: string;
}

export function sealSecrets(sealer: Sealer, of: SecretsOf, secrets: Secrets): string {
  return sealer.seal(JSON.stringify(secrets), purposeOf(of));
}

/** Null where they were sealed by a secret that this process does not have. */
export function openSecrets(sealer: Sealer, of: SecretsOf, sealed: string): Secrets | null {
  const text = sealer.open(sealed, purposeOf(of));
  return text === null ? null : (JSON.parse(text) as Secrets);
}

function purposeOf({ account_id, id, carrier, environment }: SecretsOf): string {
  return sealingPurpose("carrier_connections", account_id, id, carrier, environment);
}
