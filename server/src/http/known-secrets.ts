// Enough for every token and session in use.
const knownMax = 10_000;

/**
 * The tokens or sessions that this process has seen to exist, by their hashes. Only these may be looked up
 * without limit: forged ones must not block clients that share the sender's address.
 */
export function knownSecrets(): { has(hash: Buffer): boolean; add(hash: Buffer): void } {
  const known = new Set<string>();
  return {
    has: (hash) => known.has(hash.toString("latin1")),
    add(hash) {
      if (known.size >= knownMax) known.clear();
      known.add(hash.toString("latin1"));
    },
  };
}
