import type { Waybill } from "./main.ts";
import { demoPath, readDemo } from "./seed/demo-file.ts";

/** What the operator reads once the platform answers: where it is, and one call that works as printed. */
export function greet({ address, platform, simulator_url }: Waybill): void {
  const demo = readDemo(platform.config);
  const lines = [
    "",
    `Waybill answers at ${address}`,
    `  API reference       ${address}/docs`,
    `  Production          ${address}/api/v5`,
    `  Sandbox             ${address}/sandbox/api/v5`,
    `  Simulated carriers  ${simulator_url}`,
    ...(demo ? demoLines(address, { ...demo, path: demoPath(platform.config) }) : []),
    "",
  ];
  console.log(lines.join("\n"));
}

function demoLines(
  address: string,
  demo: { email: string; password: string; sandbox_token: string; path: string },
): string[] {
  const body = {
    to_address: {
      name: "Amélie Tremblay",
      address1: "275 Rue Notre-Dame Est",
      city: "Montréal",
      province_code: "QC",
      postal_code: "H2Y 1C6",
      country_code: "CA",
    },
    packages: [
      {
        weight: 2,
        weight_unit: "lbs",
        length: 10,
        width: 8,
        height: 4,
        size_unit: "in",
        package_contents: "Books",
      },
    ],
  };
  return [
    `  Demo sign-in        ${demo.email} / ${demo.password}`,
    `  Demo tokens         ${demo.path}`,
    "",
    "Ask five carriers for rates:",
    "",
    `curl -s ${address}/sandbox/api/v5/rates \\`,
    `  -H 'Authorization: Bearer ${demo.sandbox_token}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ];
}
