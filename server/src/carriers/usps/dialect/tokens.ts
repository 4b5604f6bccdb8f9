import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../../domain/time/clock.ts";
import { listIn, textIn } from "../../protocol/json.ts";
import { invalid, UspsRefusal } from "./refusals.ts";

/** The tokens that the dialect issued, of access and of payment; those of before a restart are expired. */
export interface IssuedTokens {
  issue(request: FastifyRequest): object;
  /** Throws USPS's refusal of a token that was not issued, or whose life is over. */
  check(request: FastifyRequest): void;
  authorizePayment(request: FastifyRequest): object;
  /** Who pays. Throws USPS's refusal of a payment's token that was not issued. */
  payerOf(request: FastifyRequest): string;
  /** Whether this is the first time: `sim:token_expired` lets the first call of a purchase find it expired. */
  expireOnce(reference: string): boolean;
}

const lifeSeconds = 14_399;
const paymentLifeSeconds = 8 * 3_600;

export function issuedTokens({ clock, seed }: { clock: Clock; seed: string }): IssuedTokens {
  const expiry = new Map<string, number>();
  const payers = new Map<string, { crid: string; until: number }>();
  const expiredFor = new Set<string>();
  let issued = 0;
  const now = () => clock.now().getTime();
  const newToken = () => {
    issued += 1;
    return createHash("sha256").update(`${seed}:usps:${issued}`).digest("base64url");
  };

  return {
    issue({ body }) {
      const id = textIn(body, "client_id");
      const secret = textIn(body, "client_secret");
      if (textIn(body, "grant_type") !== "client_credentials") throw invalid("the grant");
      if (id === null || secret === null || secret.startsWith("wrong")) {
        throw new UspsRefusal(401, "Invalid client identifier or secret.");
      }
      const token = newToken();
      expiry.set(token, now() + lifeSeconds * 1_000);
      // USPS writes its life as text.
      const access = { access_token: token, token_type: "Bearer", expires_in: String(lifeSeconds) };
      return { ...access, issued_at: String(now()), client_id: id, status: "approved" };
    },
    check({ headers }) {
      const token = (headers.authorization ?? "").replace(/^Bearer /, "");
      if ((expiry.get(token) ?? 0) <= now()) throw new UspsRefusal(401, "Invalid access token.");
    },
    authorizePayment({ body }) {
      const roles = listIn(body, "roles");
      const payer = roles.find((role) => textIn(role, "roleName") === "PAYER");
      const owner = roles.find((role) => textIn(role, "roleName") === "LABEL_OWNER");
      const crid = textIn(payer, "CRID");
      if (crid === null || textIn(owner, "MID") === null) throw invalid("roles");
      const token = newToken();
      payers.set(token, { crid, until: now() + paymentLifeSeconds * 1_000 });
      return { paymentAuthorizationToken: token, roles };
    },
    payerOf({ headers }) {
      const payer = payers.get(String(headers["x-payment-authorization-token"] ?? ""));
      if (payer && payer.until > now()) return payer.crid;
      throw new UspsRefusal(401, "The payment authorization token is invalid or expired.");
    },
    expireOnce(reference) {
      if (expiredFor.has(reference)) return false;
      expiredFor.add(reference);
      return true;
    },
  };
}
