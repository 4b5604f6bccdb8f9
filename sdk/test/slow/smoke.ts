import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import { Webhook } from "standardwebhooks";
import { aShipment } from "../../../server/test/shipments.ts";
import { closed, listening } from "../fakes.ts";

/**
 * The source of a function `smoke(createWaybill)` in plain JavaScript, for any runtime: it buys a label, repeats the purchase, reads a
 * list and verifies a webhook.
 */
export function aSmokeTest({ url, token }: { url: string; token: string }): string {
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;
  const body = JSON.stringify({ id: "evt_1", type: "shipment.created", data: {} });
  const now = new Date();
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
  };
  const given = JSON.stringify({ url, token, entry: aShipment(), secret, body, headers });
  return `async function smoke(createWaybill) {
  const given = ${given};
  const waybill = createWaybill({ token: given.token, baseUrl: given.url });
  const { data: shipment } = await waybill.shipments.create(given.entry);
  const options = { idempotencyKey: "smoke-" + shipment.id, settle: true };
  const bought = await waybill.labels.buy(shipment.id, { service: "cheapest" }, options);
  const again = await waybill.labels.buy(shipment.id, { service: "cheapest" }, options);
  let listed = 0;
  for await (const each of waybill.shipments.list()) if (each.id === shipment.id) listed += 1;
  const event = await waybill.webhooks.verify(given.body, given.headers, given.secret);
  const refused = await waybill.labels.get("shp_none").catch((error) => error.name);
  return [
    bought.data.tracking_code && listed === 1 && "bought",
    again.isReplay && refused === "NotFound" && "replayed",
    event.type === "shipment.created" && "verified",
  ].join(", ");
}`;
}

interface BrowserRun {
  chromium: string;
  /** An empty folder. */
  profile: string;
  /** The package's ESM. */
  script: string;
  url: string;
  token: string;
}

/** What the smoke test says in a page of the platform's own origin. */
export async function inBrowser(terms: BrowserRun): Promise<string> {
  let say: (result: string) => void;
  const result = new Promise<string>((resolve) => (say = resolve));
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    if (url === "/sdk.js")
      return outgoing.setHeader("content-type", "text/javascript").end(terms.script);
    if (url === "/") return outgoing.setHeader("content-type", "text/html").end(page);
    if (url.startsWith("/said/")) say(decodeURIComponent(url.slice("/said/".length)));
    if (!url.startsWith("/sandbox/")) return outgoing.writeHead(204).end();
    const forwarded = request(terms.url + url, { method, headers }, (answer) =>
      answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers)),
    );
    incoming.pipe(forwarded);
  });
  const origin = await listening(server);
  const page = `<script type="module">import { createWaybill } from "/sdk.js";
${aSmokeTest({ url: origin, token: terms.token })}
smoke(createWaybill).catch(String).then((said) => fetch("/said/" + encodeURIComponent(said)));</script>`;
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const own = [`--user-data-dir=${terms.profile}`, "--remote-debugging-port=0", `${origin}/`];
  const browser = spawn(terms.chromium, [...flags, ...quiet, ...own], { stdio: "ignore" });
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  try {
    return await result;
  } finally {
    browser.kill();
    await ended;
    await closed(server);
  }
}
