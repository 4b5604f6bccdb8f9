/**
 * A link of the server that works from the machine of this page. A server that listens on every address and
 * has no `WAYBILL_PUBLIC_URL` names its own machine in links: on a page from another machine, the page's address
 * takes that place.
 */
export function reachableLink(link: string, page = window.location.origin): string {
  const { hostname, pathname, search, hash } = new URL(link);
  if (!isLoopback(hostname) || isLoopback(new URL(page).hostname)) return link;
  return `${page}${pathname}${search}${hash}`;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
