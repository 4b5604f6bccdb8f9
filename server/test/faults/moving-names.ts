import { Resolver } from "node:dns/promises";

/**
 * Name servers under which a name moves: as somebody does who has a URL accepted and then lets its name lead into the
 * network of the platform. Only names below `moving.test` are answered here, all others by the real servers.
 */

export const movingDomain = ".moving.test";
/** Not an address that the tests' platforms may call; the receiver listens there, too. */
export const forbiddenAddress = "127.0.0.2";
const allowedAddress = "127.0.0.1";

/** From here on this process is led to the forbidden address by the first look-up of each name, and by no other. */
export function moveNames(): void {
  const { resolve4, resolve6 } = Resolver.prototype;
  const seen = new Set<string>();
  Resolver.prototype.resolve4 = async function (this: Resolver, name: string) {
    if (!name.endsWith(movingDomain)) return resolve4.call(this, name);
    const isFirst = !seen.has(name);
    seen.add(name);
    return [isFirst ? forbiddenAddress : allowedAddress];
  } as typeof resolve4;
  Resolver.prototype.resolve6 = async function (this: Resolver, name: string) {
    return name.endsWith(movingDomain) ? [] : resolve6.call(this, name);
  } as typeof resolve6;
}
