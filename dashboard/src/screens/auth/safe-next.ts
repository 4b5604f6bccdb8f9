/** Where a sign-in leads to: a path of ours, as the router has it. Addresses elsewhere are not followed. */
export function safeNext(next: string | undefined): string {
  return pathIn(/^\/(live|sandbox|device)(\/|\?|$)/, next) ?? "/";
}

/** The same for an operator's sign-in, which leads to the operator's pages. */
export function safeOperatorNext(next: string | undefined): string {
  return pathIn(/^\/operator(\/(?!sign-in)|\?|$)/, next) ?? "/operator";
}

function pathIn(area: RegExp, next: string | undefined): string | null {
  const path = next?.replace(/^\/app(?=\/)/, "") ?? "";
  return area.test(path) && !path.includes("\\") ? path : null;
}
