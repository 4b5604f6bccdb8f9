import { plural } from "../../words/plural.ts";

const count = new Intl.NumberFormat("en-CA");
const parcels = (n: number) =>
  `${count.format(n)} ${plural("en", n, { one: "parcel", other: "parcels" })}`;
const shipments = (n: number) =>
  `${count.format(n)} ${plural("en", n, { one: "shipment", other: "shipments" })}`;
const weight = new Intl.NumberFormat("en-CA", { maximumFractionDigits: 1 });

export default {
  title: "Pickups",
  description: "Carriers come to your door for parcels that have a label.",
  waiting: "Waiting for a pickup",
  nothingWaits: "Nothing waits",
  nothingWaitsText:
    "Parcels with a label, of carriers that come to the door, are listed here until a pickup has them or the carrier scans them.",
  toDesk: "Ship something",
  capped: "More parcels wait than are looked through here. The newest thousand are counted.",
  parcels,
  load: (n: number, kg: number) => `${parcels(n)}, ${weight.format(kg)} kg`,
  partOf: (named: number, all: number) => `the newest ${named} of ${count.format(all)}`,
  chosenOf: (chosen: number, all: number) =>
    `${count.format(chosen)} of the ${count.format(all)} shipments that wait there`,
  chosenTitle: (n: number) =>
    n === 1 ? "For the shipment that you chose" : `For the ${shipments(n)} that you chose`,
  showAll: "Show all that waits",
  chosenDone: "Nothing is left to schedule",
  chosenDoneText: "The pickups of what you chose are in the list below.",
  chosenNone: "No carrier can fetch any of them",
  leftOut: (n: number) => `${shipments(n)} left out:`,
  leftOutReasons: {
    freight: "Its carrier fetches freight on the day that it was booked for.",
    no_label: "It has no label.",
    moving: "The carrier has it already.",
    in_pickup: "A pickup is to fetch it already.",
    not_fetched: "Its carrier does not come to the door for this service.",
    not_listed:
      "Its carrier does not come to the door for this service, or more parcels wait than can be listed here.",
  },
  free: "No fee",
  feeIs: "Fee with tax",
  todayUntil: "Today, if asked for by",
  left: (hours: number, minutes: number) =>
    hours > 0 ? `${hours} h ${minutes} min left` : `${minutes} min left`,
  pastCutoff: "Too late for today. Next:",
  schedule: "Schedule",
  scheduleOf: (carrier: string, address: string) => `Schedule ${carrier} at ${address}`,
  scheduleTitle: (carrier: string) => `Pickup by ${carrier}`,
  day: "Day",
  today: "Today",
  next: "Next business day",
  other: "Another day",
  otherDay: "Date",
  ready: "Ready from",
  close: "Open until",
  timesHint: (minutes: number) =>
    `By the clock at the address, at least ${minutes} minutes for the driver.`,
  openUntil: (day: string, time: string) => `${day}, if you are open until ${time} or later`,
  contact: "Contact at the door",
  phone: "Phone",
  instructions: "For the driver",
  instructionsHint: "Which door, where to ring",
  feeTitle: "What it costs",
  fee: "Fee",
  tax: "Tax",
  total: "Total",
  feeNone: (carrier: string) => `${carrier} comes without a fee.`,
  feeNote: "Charged when the carrier confirms, and given back if the pickup is cancelled.",
  confirm: "Schedule the pickup",
  confirmFor: (amount: string) => `Schedule for ${amount}`,
  done: "The carrier comes.",
  asked: "Asked for. The carrier has not answered yet; the list shows when it does.",
  partly: "Not every carrier comes. The list says why.",
  list: "Pickups",
  tabs: {
    all: "All",
    "scheduled,confirmed": "To come",
    picked_up: "Picked up",
    "cancelled,failed": "Cancelled, failed",
  },
  columns: {
    day: "Day",
    carriers: "Carriers",
    address: "Address",
    parcels: "Parcels",
    cost: "Cost",
    status: "State",
    actions: "Actions",
  },
  statuses: {
    scheduled: "Waiting for the carrier",
    confirmed: "Confirmed",
    picked_up: "Picked up",
    failed: "No carrier comes",
    cancelled: "Cancelled",
  },
  between: (from: string, to: string) => `${from} to ${to}`,
  number: "No.",
  emptyTitle: "No pickups",
  emptyText: "Pickups that are scheduled are listed here, with what became of them.",
  emptyTab: "No pickup is in this state.",
  cancel: "Cancel the pickup",
  cancelOf: (day: string) => `Cancel the pickup on ${day}`,
  cancelTitle: "Cancel the pickup?",
  cancelText:
    "The pickup is cancelled with the carriers that have not come yet, and their fee is given back. The parcels wait again.",
  keep: "Keep it",
  cancelled: "The pickup is cancelled.",
  mayNot: "Your role sees pickups and does not schedule them. Owners and shippers do.",
};
