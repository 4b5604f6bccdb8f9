import type { Config } from "../config.ts";
import { isWildcard } from "../domain/reach/listen-host.ts";
import type { Waybill } from "./main.ts";
import type { Demo } from "../resources/admin/service.ts";
import { demoPath, readDemo } from "../seed/demo-file.ts";
import { parcelToMontreal } from "../shipping/shipments/examples.ts";

/**
 * The message for the operator once the platform answers: its addresses, and one call that works as printed.
 * The standard output is a log wherever Waybill runs as a service, so the demo's secrets are printed by the
 * first start alone; later ones name their file (decision 3).
 */
export function printStartupMessage({
  address,
  platform,
  simulator_url,
  has_new_demo,
}: Waybill): void {
  const demo = readDemo(platform.config);
  const lines = [
    "",
    `Waybill answers at ${address}`,
    `  Dashboard           ${address}/app/`,
    `  API reference       ${address}/docs`,
    `  Production          ${address}/api/v5`,
    `  Sandbox             ${address}/sandbox/api/v5`,
    `  Simulated carriers  ${simulator_url}`,
    ...linkLines(platform.config, address),
    ...(demo ? demoLines(address, { demo, path: demoPath(platform.config), has_new_demo }) : []),
    "",
  ];
  console.log(lines.join("\n"));
}

/** Links that others get would lead them to their own machines. */
function linkLines({ host, public_url }: Config, address: string): string[] {
  if (public_url !== "" || !isWildcard(host)) return [];
  return [
    `  Links begin with ${address}, which other machines cannot follow:`,
    "  set WAYBILL_PUBLIC_URL to the address at which they reach this one.",
  ];
}

function demoLines(
  address: string,
  known: { demo: Demo; path: string; has_new_demo: boolean },
): string[] {
  const { demo, path, has_new_demo } = known;
  const signIn = `  Demo sign-in        ${demo.email} / ${demo.password}`;
  const token = has_new_demo
    ? `'Authorization: Bearer ${demo.sandbox_token}'`
    : `"Authorization: Bearer $(node -p "require('${path}').sandbox_token")"`;
  return [
    ...(has_new_demo ? [signIn] : []),
    `  Demo secrets        ${path}`,
    "",
    "Ask five carriers for rates:",
    "",
    `curl -s ${address}/sandbox/api/v5/rates \\`,
    `  -H ${token} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(parcelToMontreal)}'`,
  ];
}
