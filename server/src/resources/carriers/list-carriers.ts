import type { TObject, TSchema } from "typebox";
import {
  descriptorUnder,
  isFreightService,
  type Carrier,
  type CarrierService,
} from "../../carriers/carrier.ts";
import type { AccountContext, ConnectionsInForce } from "../../context.ts";
import { labelFormats } from "../../domain/shipments/shipment-enums.ts";
import type { CatalogueCarrier } from "./schemas.ts";

/** Every carrier with its services, and which of those the account is offered. */
export async function listCarriers({
  carriers,
  account,
  connections,
  open_circuits,
}: AccountContext): Promise<CatalogueCarrier[]> {
  const paused = open_circuits();
  const inForce = await connections.inForce(account);
  const disabled = new Set(account.settings.disabled_services);
  return carriers.all.map((carrier) => ({
    ...factsOf(carrier, inForce),
    health: healthOf(
      paused.filter(({ carrier: code }) => code === carrier.descriptor.code),
      account.account_id,
    ),
    services: carrier.descriptor.services.map((service) => toService(service, disabled)),
  }));
}

function factsOf({ descriptor }: Carrier, inForce: ConnectionsInForce) {
  const { code, name, mode, pickups, connected, credentials } = descriptor;
  return {
    code,
    name,
    kind: mode,
    // Of the adapter, whether the account's calls reach it or a simulator in its place.
    evidence: (connected ?? descriptor).evidence,
    manifest: descriptorUnder(descriptor, inForce.find(code)?.id).manifest,
    connection_fields: credentials
      ? [...fieldsOf(credentials.values, "values"), ...fieldsOf(credentials.secrets, "secrets")]
      : [],
    // Freight has documents to print on paper.
    label_formats: mode === "courier" ? [...labelFormats] : (["pdf"] as const).slice(),
    pickup: pickups ? { cutoff: pickups.cutoff, days: pickups.days_ahead_max } : null,
  };
}

type ConnectionField = CatalogueCarrier["connection_fields"][number];

/** The fields of one part of a connection, as its carrier's schema has them. */
function fieldsOf(schema: TObject, group: ConnectionField["group"]): ConnectionField[] {
  const required = new Set<string>(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    group,
    is_write_only: group === "secrets",
    is_required: required.has(name),
    ...detailsOf(field),
  }));
}

function detailsOf(field: TSchema): Pick<ConnectionField, "description" | "options" | "pattern"> {
  const {
    description = null,
    pattern = null,
    anyOf,
  } = field as TSchema & {
    description?: string;
    pattern?: string;
    anyOf?: { const?: unknown }[];
  };
  const options = anyOf?.flatMap(({ const: value }) => (typeof value === "string" ? value : []));
  return { description, pattern, options: options?.length ? options : null };
}

function healthOf(
  paused: readonly { account_id: string }[],
  accountId: string,
): CatalogueCarrier["health"] {
  if (paused.length === 0) return "up";
  return paused.some(({ account_id }) => account_id === accountId) ? "down" : "degraded";
}

function toService(
  service: CarrierService,
  disabled: ReadonlySet<string>,
): CatalogueCarrier["services"][number] {
  const { origins, destinations, reach } = service;
  const reachesAbroad =
    destinations === "world" || destinations.some((to) => !origins.includes(to));
  return {
    service: service.code,
    postage_type_id: service.postage_type_id,
    name: service.name,
    domestic: reach !== "international",
    international: reach !== "domestic" && (reachesAbroad || origins.length > 1),
    trackable: service.trackable,
    add_ons: [...service.add_ons],
    enabled: !disabled.has(service.code),
    limits: limitsOf(service),
  };
}

function limitsOf(service: CarrierService): CatalogueCarrier["services"][number]["limits"] {
  const none = {
    max_packages: null,
    max_units: null,
    max_length_plus_girth_cm: null,
    delivers_to_po_box: null,
    requires_dimensions: null,
  };
  if (isFreightService(service)) {
    const { max_units, max_unit_weight_grams, max_length_cm } = service;
    return { ...none, max_units, max_weight_grams: max_unit_weight_grams, max_length_cm };
  }
  const { max_packages, max_weight_grams, max_length_cm, max_length_plus_girth_cm } = service;
  const { delivers_to_po_box, requires_dimensions } = service;
  return {
    ...none,
    max_packages,
    max_weight_grams,
    max_length_cm,
    max_length_plus_girth_cm,
    delivers_to_po_box,
    requires_dimensions,
  };
}
