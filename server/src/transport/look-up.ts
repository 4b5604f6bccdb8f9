import { Resolver } from "node:dns/promises";

/** The name has no address, or no name server answered in time. */
export class NameNotResolved extends Error {}

/** All addresses of a name. Throws `NameNotResolved` when there are none. */
export type LookUp = (name: string) => Promise<string[]>;

/**
 * Asks the name servers directly. `dns.lookup` would do so on one of the few threads that files need, too, and
 * a customer's slow name servers could hold all of them. So /etc/hosts does not count, save for localhost.
 */
export function askNameServers(): LookUp {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  return async (name) => {
    if (/(^|\.)localhost$/.test(name)) return ["127.0.0.1"];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    if (addresses.length > 0) return addresses;
    throw new NameNotResolved(`${name} has no address`, {
      cause: answers.find((each) => each.status === "rejected")?.reason,
    });
  };
}
