import type { FastifyRequest } from "fastify";
import { ApiError } from "../domain/errors/errors.ts";

/**
 * A browser sends a cookie along with what other sites ask for. So what changes something by a cookie has to
 * come from our own pages: by `Sec-Fetch-Site`, which pages cannot set, or, where a browser does not send it,
 * by `Origin`.
 */

/** Throws 403 `cross_origin` unless the request reads only, or is known to come from our own pages. */
export function refuseCrossOrigin(request: FastifyRequest, own: string): void {
  if (isReading(request) || isFromOwnPages(request, own) === true) return;
  throw otherSite(request, own);
}

/** The same where no cookie is sent: a program states neither header, and is let through. */
export function refuseOtherSites(request: FastifyRequest, own: string): void {
  if (isReading(request) || isFromOwnPages(request, own) !== false) return;
  throw otherSite(request, own);
}

/**
 * Without TLS browsers send no `Sec-Fetch-Site`, so a proxy that changes `Host` makes our own page another site:
 * the sentence says what to set.
 */
function otherSite({ headers }: FastifyRequest, own: string): ApiError {
  if (headers["sec-fetch-site"] !== undefined || headers.origin === undefined)
    return new ApiError("cross_origin");
  return new ApiError("cross_origin", {
    message: `The page is at another address than Waybill, which is ${own}. If people open Waybill at the page's address, set WAYBILL_PUBLIC_URL to it.`,
  });
}

function isReading({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** Null where the request does not say. */
function isFromOwnPages({ headers }: FastifyRequest, own: string): boolean | null {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin, host } = headers;
  if (origin === undefined) return null;
  // A page under another name of this host has its own cookies, and none of ours.
  return origin === own || origin === `http://${host}` || origin === `https://${host}`;
}
