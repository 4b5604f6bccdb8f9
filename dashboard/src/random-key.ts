/**
 * A key that is made once: 16 random bytes in hexadecimal digits. On a page that came by http from another machine
 * browsers have no `crypto.randomUUID`.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
