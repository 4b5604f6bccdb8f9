import { plural } from "../../words/plural.ts";

/** A field of a connection: its label, and what it is where the label does not say it. */
interface FieldWords {
  label: string;
  note?: string;
}

/** By the API's name of the field. */
const fields: Record<string, FieldWords> = {
  account_country: {
    label: "Country of the account",
    note: "As two letters, such as CA. It decides the currency of the bill.",
  },
  account_number: { label: "Account number" },
  account_type: {
    label: "What pays",
    note: "An enterprise payment account (EPS) or a permit. EPS where nothing is chosen.",
  },
  api_key: { label: "API key" },
  billing_account_number: {
    label: "Billed account",
    note: "The registered account is billed where this is empty.",
  },
  client_id: { label: "Client ID" },
  client_secret: { label: "Client secret" },
  contact_email: {
    label: "Contact email",
    note: "The carrier writes there about refunds and pickups.",
  },
  contact_phone: {
    label: "Contact phone",
    note: "For senders who have no phone number.",
  },
  contract_id: {
    label: "Contract",
    note: "Without one, shipments are bought one by one and not by manifest.",
  },
  crid: { label: "Customer registration ID (CRID)" },
  customer_number: { label: "Customer number", note: "The customer who mails." },
  key: { label: "Production key" },
  mailed_on_behalf_of: {
    label: "Mailed on behalf of",
    note: "A customer number, where it is another one than the one who mails.",
  },
  manifest_mid: {
    label: "Mailer ID of manifests",
    note: "The mailer ID above where this is empty.",
  },
  method_of_payment: {
    label: "How the contract is paid",
    note: "By account where nothing is chosen.",
  },
  mid: { label: "Mailer ID (MID)", note: "The one that owns the labels." },
  negotiated_rates: {
    label: "Negotiated rates",
    note: "Whether the account’s own prices are asked for. Yes where nothing is chosen.",
  },
  password: { label: "Password" },
  permit_zip: { label: "ZIP code of the permit" },
  price_type: {
    label: "Prices",
    note: "Commercial prices where nothing is chosen.",
  },
  user_token: { label: "Activation key", note: "Newer accounts have one." },
  username: { label: "Username" },
};

export default {
  title: "Carriers",
  description: "The services that are offered, and your own accounts with carriers.",
  columns: { carrier: "Carrier", services: "Services", accounts: "Your accounts", health: "State" },
  kinds: { courier: "Parcels", ltl: "Freight" },
  offered: (on: number, all: number) =>
    on === all ? `All ${all} offered` : `${on} of ${all} offered`,
  accountCount: (n: number) => `${n} ${plural("en", n, { one: "account", other: "accounts" })}`,
  noAccounts: "–",
  health: { up: "Available", degraded: "Degraded", down: "Paused" },
  back: "All carriers",
  unknownCarrier: "There is no carrier of this name.",
  evidence: {
    simulated: "Waybill reaches this carrier through its simulator only.",
    documents: "Waybill’s interface to this carrier was tested against the carrier’s documents.",
    recorded: "Waybill’s interface to this carrier was tested against recordings of its sandbox.",
  },

  services: "Services",
  servicesNote: "A service that is off is in no rate, and no rule or batch buys it.",
  servicesReadOnly: "Your role sees the services and does not switch them.",
  domestic: "Domestic",
  international: "International",
  everywhere: "Domestic and international",
  switchedOn: (service: string) => `${service} is offered.`,
  switchedOff: (service: string) => `${service} is not offered any more.`,

  connections: "Your own accounts",
  connectionsNote:
    "What is bought on an account of yours is billed to you by the carrier. Without one, the platform’s is used.",
  featureOff:
    "Accounts of your own are not switched on for this account. The operator of the platform can do that.",
  connectionsEmpty: (carrier: string) => `No account with ${carrier}`,
  connectionColumns: { name: "Name", state: "State", tested: "Last test", actions: "Actions" },
  statuses: { untested: "Not tested", active: "Active", failing: "Refused", disabled: "Off" },
  isDefault: "Default",
  secretEnds: "secret ends in",
  never: "Never",
  testOk: "Accepted",
  testFailed: "Refused",
  add: "Add an account",
  more: (name: string) => `Actions for ${name}`,
  test: "Test",
  accepted: (name: string) => `The carrier accepts ${name}.`,
  edit: "Change",
  rotate: "Replace the secrets",
  makeDefault: "Make it the default",
  madeDefault: (name: string) => `${name} is the default.`,
  enable: "Switch on",
  enabled: (name: string) => `${name} is on.`,
  disable: "Switch off",
  disabled: (name: string) => `${name} is off.`,
  delete: "Delete",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText:
    "Nothing is bought on it any more. Labels that were bought on it stay, and can no longer be voided or tracked through it.",
  deleted: "Deleted.",
  cancel: "Cancel",
  save: "Save",
  saved: "Saved.",
  newTitle: (carrier: string) => `An account with ${carrier}`,
  editTitle: (name: string) => `Change ${name}`,
  rotateTitle: (name: string) => `Replace the secrets of ${name}`,
  rotateText:
    "The carrier is asked with the new ones first. Where it does not accept them, the old ones stay.",
  name: "Name",
  nameNote: "By which you tell your accounts apart",
  secretsNote: "They are stored encrypted, and no screen shows them again.",
  asDefault: "The default of this carrier",
  asDefaultNote: "Rates and purchases use the default account.",
  notChosen: "Not chosen",
  fields,
};
