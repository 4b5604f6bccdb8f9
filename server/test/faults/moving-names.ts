import { Resolver } from "node:dns/promises";

/**
 * Name servers under which a name moves: as an attacker does who has a URL accepted and then lets its name lead into the
 * network of the platform. Only names below `moving.test` are answered here, all others by the real servers.
 */

export const movingDomain = ".moving.test";
/** Not an address that the tests' platforms may call; the receiver listens there, too. */
export const forbiddenAddress = "127.0.0.2";
const allowedAddress = "127.0.0.1";

/** From here on this process is led to the forbidden address by the first lookup of each name, and by no other. */
export function moveNames(): void {
  const real = { resolve4: Resolver.prototype.resolve4, resolve6: Resolver.prototype.resolve6 };
  const seen = new Set<string>();
  const answer = (family: 4 | 6) =>
    async function (this: Resolver, ...[name, ...rest]: Parameters<Resolver["resolve4"]>) {
      if (!name.endsWith(movingDomain)) return real[`resolve${family}`].call(this, name, ...rest);
      if (family === 6) return [];
      const isFirst = !seen.has(name);
      seen.add(name);
      return [isFirst ? forbiddenAddress : allowedAddress];
    };
  Object.assign(Resolver.prototype, { resolve4: answer(4), resolve6: answer(6) });
}
