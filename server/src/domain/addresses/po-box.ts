import type { Address } from "./address.ts";

const poBoxes = [
  /\bP\.?\s*O\.?\s*(Box(?![a-z])|B\.?\s*#?\d)/i,
  /\b(Post|Postal|Post\s+Office)\s+Box\b/i,
  /^Box\s+#?\d/i,
  /\b(Case|Casier)\s+postale?\b/i,
  /\bBo[iî]te\s+postale\b/i,
  /\bC\.\s?P\.\s*#?\d/i,
  /\b[CB]\.?\s?P\.?\s+#?\d/i,
];

/** Whether a street line is a post office box, in English or French. */
export function isPoBox(address: Pick<Address, "address1" | "address2">): boolean {
  const lines = [address.address1, address.address2 ?? ""].map((line) => line.trim());
  return lines.some((line) => poBoxes.some((pattern) => pattern.test(line)));
}
