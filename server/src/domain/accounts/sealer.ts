import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Secrets that must be readable again, unlike passwords and tokens, which are hashed: sealed by
 * AES-256-GCM before they go to the database, under a key that is derived from `WAYBILL_SECRET`.
 *
 * A sealed text is `v1.<key id>.<base64url of nonce, ciphertext and tag>`. The key id identifies the secret
 * that sealed it and reveals nothing of it.
 */
export interface Sealer {
  /**
   * Opens only for the `purpose` that it was sealed for, so that a text moved to another row does not open.
   */
  seal(text: string, purpose: string): string;
  /**
   * Null for a text that an unknown secret sealed. Throws for one that was altered, or sealed for another
   * purpose.
   */
  open(sealed: string, purpose: string): string | null;
  /** Whether the present secret sealed it, and not a previous one. */
  isCurrent(sealed: string): boolean;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Seals under `secret`; opens what it or one of the `previous` ones sealed. */
export function createSealer(secret: string, previous: readonly string[] = []): Sealer {
  const current = keyOf(secret);
  const known = [current, ...previous.map(keyOf)];
  return {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", current.key, nonce).setAAD(Buffer.from(purpose));
      const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return current.prefix + Buffer.concat(parts).toString("base64url");
    },
    open(sealed, purpose) {
      const found = known.find(({ prefix }) => sealed.startsWith(prefix));
      if (!found) return null;
      const bytes = Buffer.from(sealed.slice(found.prefix.length), "base64url");
      const decipher = createDecipheriv("aes-256-gcm", found.key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    },
    isCurrent: (sealed) => sealed.startsWith(current.prefix),
  };
}

function keyOf(secret: string): { key: Buffer; prefix: string } {
  return {
    key: derive(secret, "waybill sealing key v1", 32),
    prefix: `v1.${derive(secret, "waybill sealing key id v1", 4).toString("hex")}.`,
  };
}

function derive(secret: string, use: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", use, bytes));
}
