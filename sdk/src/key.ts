type WebCrypto = typeof globalThis.crypto;

/** The runtime's WebCrypto. Node 18 has it in a module only, which no bundler should look for. */
export async function webCrypto(): Promise<WebCrypto> {
  const found = (globalThis as { crypto?: WebCrypto }).crypto;
  if (found) return found;
  const name = "node:crypto";
  const module = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    webcrypto: WebCrypto;
  };
  return module.webcrypto;
}

/** A new Idempotency-Key. `randomUUID` is missing on pages that are not served by https. */
export async function newKey(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
