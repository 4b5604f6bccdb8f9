/** Facts about the host that the API listens on (the setting HOST). */

/** Whether only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** Whether it is every address of the machine, so that it names none of them. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/**
 * The host as a URL names it. A wildcard address is named as this machine reaches it: 0.0.0.0 cannot be
 * called.
 */
export function hostInUrl(host: string): string {
  if (isWildcard(host)) return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
