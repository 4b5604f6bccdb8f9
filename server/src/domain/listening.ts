/** What can be said of the host that the API listens on (the setting HOST). */

/** Whether nobody but this machine reaches it. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** As addresses name it. What listens everywhere is named as this machine reaches it: nobody can call 0.0.0.0. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
