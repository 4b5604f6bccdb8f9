import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { isLoopback } from "../domain/reach/listen-host.ts";
import { isSecure } from "./cookies.ts";

/**
 * Throws 403 `https_required` where a page that came by http would get a cookie for https alone: the browser drops
 * it without a word, and the person is asked to sign in again and again. Whether the page came by https only its `Origin`
 * tells: behind a proxy every request arrives by http. On the machine itself browsers keep such cookies.
 */
export function refusePlainHttp({ headers }: FastifyRequest, config: Config): void {
  if (!isSecure(config)) return;
  const host = /^http:\/\/\[?([^\]/]*?)\]?(:\d+)?$/i.exec(headers.origin ?? "")?.[1];
  if (host === undefined || isLoopback(host)) return;
  const { public_url } = config;
  throw new ApiError("https_required", {
    message: `This page came by http, but WAYBILL_PUBLIC_URL is ${public_url}, so people sign in there. To sign in without TLS, set WAYBILL_PUBLIC_URL to the http address.`,
    details: { public_url },
  });
}
