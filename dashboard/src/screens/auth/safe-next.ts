/** Where a sign-in leads to: a path of ours, as the router has it. Addresses elsewhere are not followed. */
export function safeNext(next: string | undefined): string {
  const path = next?.replace(/^\/app(?=\/)/, "") ?? "";
  return /^\/(live|sandbox|device)(\/|\?|$)/.test(path) && !path.includes("\\") ? path : "/";
}
