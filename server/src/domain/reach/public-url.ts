import { isAddress, standingOf, type Reach } from "./reach.ts";

/** A URL that a customer names, as far as it can be judged without asking for its name's addresses. */
export interface NamedUrl {
  url: URL;
  /** The address where the host is one, else null: only a name has to be looked up. */
  address: string | null;
  /** Why only an address that the operator allows may be behind its name; null when a public one may, too. */
  only_allowed: string | null;
}

/** Reads a URL; a text when it is one that is never called, and why, as a problem of a request says it. */
export function readNamedUrl(text: string, reach: Reach): NamedUrl | string {
  if (text.length > maxLength) return `must have at most ${maxLength} characters.`;
  // A URL parser drops some of them and reads a backslash as a slash, so what is stored would not be what is called.
  if (/[\s\p{Cc}\\]/u.test(text)) return "must not contain spaces, control characters or \\.";
  const url = URL.parse(text);
  if (!url) return "must be a URL such as https://example.com/webhooks.";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must be an https URL.";
  if (url.username !== "" || url.password !== "") return "must not contain a user or a password.";
  const address = addressIn(url.hostname);
  const wrong = address === null ? nameProblem(url.hostname) : addressProblem(address, reach);
  if (wrong !== null) return wrong;
  return { url, address, only_allowed: onlyAllowed(url, address, reach) };
}

/**
 * Why a URL cannot be called, as far as its text shows; null when it can. It is a problem's sentence, such as
 * "must be an https URL.".
 */
export function checkPublicUrl(text: string, reach: Reach): string | null {
  const named = readNamedUrl(text, reach);
  if (typeof named === "string") return named;
  // A name may still prove to have allowed addresses, where there are any.
  return named.address === null && reach.allow.length > 0 ? null : named.only_allowed;
}

const maxLength = 2_048;

/** The URL parser has brought decimal, octal, hexadecimal and Unicode forms into the usual one by now. */
function addressIn(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return isAddress(bare) ? bare : null;
}

function addressProblem(address: string, reach: Reach): string | null {
  return standingOf(address, reach) === "forbidden"
    ? `must name a public address; ${address} is none.`
    : null;
}

/** Letters, digits, hyphens and underscores, as in the DNS. Others would be looked up who knows how. */
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

function nameProblem(hostname: string): string | null {
  if (hostname.endsWith(".")) return "must not have a dot at the end of its host name.";
  const isName = hostname.length <= 253 && hostname.split(".").every((each) => label.test(each));
  return isName ? null : "must have a host name of letters, digits, hyphens and dots.";
}

/** Names that mean something else in every network (RFC 6761, 6762, 8375; ICANN's `internal`). */
const localName = /(^|\.)(localhost|local|internal|home\.arpa)$/;

function onlyAllowed(url: URL, address: string | null, reach: Reach): string | null {
  if (address !== null && standingOf(address, reach) === "allowed") return null;
  const isLocal = address === null && (localName.test(url.hostname) || !url.hostname.includes("."));
  if (isLocal) return "must have a public host name.";
  if (url.protocol !== "https:") return "must be an https URL.";
  if (!reach.ports.includes(Number(url.port) || 443)) {
    return `must use port ${reach.ports.join(" or ")}.`;
  }
  return null;
}
