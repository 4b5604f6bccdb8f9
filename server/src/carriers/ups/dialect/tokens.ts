import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../../domain/time/clock.ts";
import { UpsRefusal } from "./refusals.ts";

/** The access tokens that the dialect issued; those of before a restart are expired. */
export interface IssuedTokens {
  issue(request: FastifyRequest): object;
  /** Throws UPS's refusal of a token that was not issued, or whose life is over. */
  check(request: FastifyRequest): void;
  /** Whether this is the first time: `sim:token_expired` lets the first call of a purchase find it expired. */
  expireOnce(reference: string): boolean;
}

const lifeSeconds = 14_399;

export function issuedTokens({ clock, seed }: { clock: Clock; seed: string }): IssuedTokens {
  const expiry = new Map<string, number>();
  const expiredFor = new Set<string>();
  let issued = 0;
  return {
    issue({ headers }) {
      const [kind, encoded = ""] = (headers.authorization ?? "").split(" ");
      const [id, secret] = Buffer.from(encoded, "base64").toString().split(":");
      if (kind !== "Basic" || !id || !secret || secret.startsWith("wrong")) {
        throw new UpsRefusal(401, "10401", "ClientId is Invalid");
      }
      issued += 1;
      const token = createHash("sha256").update(`${seed}:${issued}`).digest("base64url");
      const now = clock.now().getTime();
      expiry.set(token, now + lifeSeconds * 1_000);
      return {
        token_type: "Bearer",
        issued_at: String(now),
        client_id: id,
        access_token: token,
        // UPS writes it as text.
        expires_in: String(lifeSeconds),
        status: "approved",
      };
    },
    check({ headers }) {
      const token = (headers.authorization ?? "").replace(/^Bearer /, "");
      if ((expiry.get(token) ?? 0) > clock.now().getTime()) return;
      throw new UpsRefusal(401, "250002", "Invalid Authentication Information.");
    },
    expireOnce(reference) {
      if (expiredFor.has(reference)) return false;
      expiredFor.add(reference);
      return true;
    },
  };
}
