import type { Product } from "@waybill/sdk";
import type { Tone } from "../../kit/badge.tsx";

type Status = Product["status"];

/**
 * The tabs, and the states of the products in each; those that wait for a decision come first, and are those of
 * `productsToApprove` in `shell/queries.ts`.
 */
export const groups = {
  approve: ["Pending Approval", "Classified", "Manufacturer Verified"],
  failed: ["Manufacturer Failed"],
  imported: ["Imported"],
  approved: ["Approved"],
  rejected: ["Rejected"],
  all: [],
} as const satisfies Record<string, readonly Status[]>;

export type GroupId = keyof typeof groups;

/** The tab that a URL names; the first one for any other text. */
export function groupOf(text: string | undefined): GroupId {
  return text !== undefined && Object.hasOwn(groups, text) ? (text as GroupId) : "approve";
}

/** The colour of each state. */
export const tones: Record<Status, Tone> = {
  Imported: "neutral",
  Classified: "info",
  "Manufacturer Verified": "info",
  "Manufacturer Failed": "danger",
  "Pending Approval": "warn",
  Approved: "good",
  Rejected: "neutral",
};

/** Whether the state allows an approval: a manufacturer that failed has to be verified again before. */
export function canApprove({ status }: Product): boolean {
  return status !== "Approved" && status !== "Manufacturer Failed";
}

/** Whether a rejection would change anything. */
export function canReject({ status }: Product): boolean {
  return status !== "Rejected";
}

/** "6109.10.00": a customs code in the groups in which tariffs print it. */
export function codeText(code: string): string {
  return code.replace(/^(\d{4})(\d{2})(\d{0,2})(\d{0,2})$/, (_all, ...groups: unknown[]) =>
    groups
      .slice(0, 4)
      .filter((part) => typeof part === "string" && part !== "")
      .join("."),
  );
}
