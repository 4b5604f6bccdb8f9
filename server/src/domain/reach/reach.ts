import ipaddr from "ipaddr.js";

/**
 * Which addresses may be called when a customer names them. `deny` counts more than `allow`, `allow` more than
 * what an address is.
 */
export interface Reach {
  allow: readonly Network[];
  deny: readonly Network[];
  /** Of public addresses, where `allow` has no say. */
  ports: readonly number[];
}

/** An address and the length of its prefix. */
type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `allowed` is what the operator lists: there http and every port are fine. */
type Standing = "allowed" | "public" | "forbidden";

/**
 * The networks of a setting: CIDRs or single addresses, with commas between them. Throws an error that names
 * the first that is neither.
 */
export function readNetworks(setting: string): Network[] {
  return setting
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map(readNetwork);
}

/** Whether an address is in one of the networks; false for what is no address. */
export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  if (!isAddress(text)) return false;
  const address = ipaddr.process(text);
  return networks.some((network) => isWithin(address, network));
}

/** What an address is to us. It is read strictly: what is no address is forbidden. */
export function standingOf(text: string, reach: Reach): Standing {
  if (!isAddress(text)) return "forbidden";
  // Also of ::ffff:10.0.0.1, which sockets connect to as 10.0.0.1.
  const address = ipaddr.process(text);
  if (reach.deny.some((network) => isWithin(address, network))) return "forbidden";
  if (reach.allow.some((network) => isWithin(address, network))) return "allowed";
  return isPublic(address) ? "public" : "forbidden";
}

/** Whether it is an address in its usual form, not the decimal, octal or short ones of old. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** Azure answers every machine there. It is the only such address in a range that is public otherwise. */
const azureHost = "168.63.129.16";
/** What is assigned to the Internet so far (IANA). `::/96`, for one, is not, and embeds IPv4 addresses. */
const assignedIPv6: Network = [ipaddr.IPv6.parse("2000::"), 3];

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4"
    ? address.toString() !== azureHost
    : isWithin(address, assignedIPv6);
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, prefix]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, prefix);
}

function readNetwork(text: string): Network {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (!isAddress(address)) throw new Error(`has ${text}, which is no CIDR such as 10.0.0.0/8`);
  const parsed = ipaddr.parse(address);
  const longest = parsed.kind() === "ipv4" ? 32 : 128;
  const prefix = length === undefined ? longest : Number(length);
  if (prefix > longest) throw new Error(`has ${text}, whose prefix is longer than its address`);
  return [parsed, prefix];
}
