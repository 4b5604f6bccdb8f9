import type { Visit } from "../../http/auth-api.ts";
import type { Mailer } from "./mail.ts";
import type { Passwords } from "./passwords.ts";
import type { Throttle } from "./throttle.ts";

/** The context of a verb of `/api/auth`: the visit, and what this process keeps for all visits. */
export interface AuthContext extends Visit {
  passwords: Passwords;
  throttle: Throttle;
  mailer: Mailer;
}
