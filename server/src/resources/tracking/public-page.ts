import { createHash } from "node:crypto";
import type { TrackingStatus } from "../../domain/shipments/shipment-status.ts";
import { css } from "./public-page-style.ts";

/**
 * The recipient's page, as HTML. It is visible to everyone with the code, so it shows only where the parcel
 * was and its status: cities, times and Waybill's own texts for the status. Not the carrier's: those may name
 * the person who signed.
 */
export interface PublicTracking {
  tracking_code: string;
  carrier_name: string;
  carrier_url: string | null;
  status: TrackingStatus;
  estimated_delivery_date: string | null;
  delivered_at: Date | null;
  /** Newest first. */
  events: readonly PublicEvent[];
}

interface PublicEvent {
  occurred_at: Date;
  status: TrackingStatus;
  city: string;
  province_code: string | null;
  country_code: string | null;
}

/** Nothing is loaded, no script runs, no framing. The one style sheet is allowed by its digest. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const words: Readonly<Record<TrackingStatus, readonly [heading: string, sentence: string]>> = {
  unknown: ["No news yet", "The carrier has not said where the parcel is."],
  pre_transit: ["Announced", "The label is printed. The carrier does not have the parcel yet."],
  accepted: ["Picked up", "The carrier has the parcel."],
  in_transit: ["On its way", "The parcel is travelling."],
  out_for_delivery: ["Out for delivery", "The driver has the parcel."],
  available_for_pickup: ["Ready for pickup", "The parcel waits to be picked up."],
  attempted_delivery: [
    "Delivery attempted",
    "Nobody could take the parcel in. The carrier tells what comes next.",
  ],
  delivered: ["Delivered", "The parcel has arrived."],
  exception: ["Delayed", "Something holds the parcel up. The carrier is working on it."],
  return_to_sender: ["Going back", "The parcel is on its way back to the sender."],
  cancelled: ["Cancelled", "The sender took the parcel back before it left."],
};

const milestones = ["Announced", "On its way", "Out for delivery", "Delivered"] as const;

/** How many milestones it has passed, or null for a parcel that has left the usual way. */
const reached: Readonly<Record<TrackingStatus, number | null>> = {
  unknown: 0,
  pre_transit: 1,
  accepted: 2,
  in_transit: 2,
  out_for_delivery: 3,
  available_for_pickup: 3,
  attempted_delivery: 3,
  delivered: 4,
  exception: 2,
  return_to_sender: null,
  cancelled: null,
};

export function trackingPage(tracking: PublicTracking): string {
  const [heading, sentence] = words[tracking.status];
  const { tracking_code, carrier_name, status, events } = tracking;
  return page(
    `${heading} · ${tracking_code}`,
    `<p class="code"><span>${escape(carrier_name)}</span> <code>${escape(tracking_code)}</code></p>
<h1 class="${toneOf(status)}">${heading}</h1>
<p class="lead">${sentence}${whenExpected(tracking)}</p>
${progress(status)}
<h2>History</h2>
${history(events)}
${atTheCarrier(tracking)}`,
  );
}

/** The same for every unknown code, so that it reveals nothing about any. */
export const unknownPage = page(
  "Parcel not found",
  `<h1>Parcel not found</h1>
<p class="lead">There is nothing to show under this address. Check the tracking number; a new one may take a few minutes to appear.</p>`,
);

export const tooOftenPage = page(
  "Too many requests",
  `<h1>One moment</h1>
<p class="lead">This page was asked for very often from where you are. Please try again in a minute.</p>`,
);

export const brokenPage = page(
  "Not available",
  `<h1>Not available right now</h1>
<p class="lead">Please try again in a moment.</p>`,
);

function whenExpected({ status, estimated_delivery_date, delivered_at }: PublicTracking): string {
  if (delivered_at) return ` ${moment(delivered_at)}.`;
  // For a parcel that is held up, the promised day is obsolete.
  const isOnTime = ["pre_transit", "accepted", "in_transit"].includes(status);
  return isOnTime && estimated_delivery_date !== null
    ? ` Expected on ${day(estimated_delivery_date)}.`
    : "";
}

function toneOf(status: TrackingStatus): string {
  if (status === "delivered") return "good";
  const isTrouble = ["exception", "attempted_delivery", "return_to_sender", "cancelled"];
  return isTrouble.includes(status) ? "trouble" : "";
}

function progress(status: TrackingStatus): string {
  const done = reached[status];
  if (done === null) return "";
  const steps = milestones.map((milestone, index) => {
    const state = index < done ? "done" : "ahead";
    const current = index === done - 1 ? ' aria-current="step"' : "";
    return `<li class="${state}"${current}>${milestone}</li>`;
  });
  return `<ol class="progress" aria-label="Progress">${steps.join("")}</ol>`;
}

function history(events: readonly PublicEvent[]): string {
  if (events.length === 0) return `<p class="empty">Nothing was scanned yet.</p>`;
  const rows = events.map(({ occurred_at, status, city, province_code, country_code }) => {
    const place = [city, province_code, country_code].filter(Boolean).map((part) => escape(part!));
    const where = city === "" ? "" : `<span class="place">${place.join(", ")}</span>`;
    return `<li class="${toneOf(status)}"><strong>${words[status][0]}</strong>${where}${moment(occurred_at)}</li>`;
  });
  return `<ol class="history">${rows.join("\n")}</ol>`;
}

function atTheCarrier({ carrier_url, carrier_name }: PublicTracking): string {
  if (carrier_url === null) return "";
  return `<p class="more"><a href="${escape(carrier_url)}" rel="noreferrer noopener">More at ${escape(carrier_name)}</a></p>`;
}

const moments = new Intl.DateTimeFormat("en-CA", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
  hourCycle: "h23",
});
const days = new Intl.DateTimeFormat("en-CA", {
  weekday: "long",
  month: "long",
  day: "numeric",
  timeZone: "UTC",
});

function moment(at: Date): string {
  return `<time datetime="${at.toISOString()}">${moments.format(at)} UTC</time>`;
}

function day(date: string): string {
  return `<time datetime="${escape(date)}">${days.format(new Date(`${date}T00:00:00Z`))}</time>`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escape(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
