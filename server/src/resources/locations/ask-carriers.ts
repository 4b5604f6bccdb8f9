import type { CarrierLocation, CarrierLocations } from "../../carriers/capabilities.ts";
import type { Carrier } from "../../carriers/carrier.ts";
import type { Context, FoundConnection } from "../../context.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { invalid } from "../../domain/errors/errors.ts";
import type { Exclusion } from "../../domain/limits/service-limits.ts";
import { postalCodeForm, normalisePostalCode } from "../../domain/postal/postal-codes.ts";
import { provinceOf } from "../../domain/postal/regions.ts";
import { isRetryable } from "../../domain/pricing/rate.ts";
import { askInTime } from "../../quoting/ask-carrier.ts";
import { startDeadline, type Deadline } from "../../quoting/deadline.ts";
import { toConnection } from "../../shipping/connections/connection-book.ts";
import type { CarrierPlace, ExcludedCarrier, NearPlaces, NearQuery } from "./near-schemas.ts";

interface LocationSource {
  carrier: Carrier;
  locations: CarrierLocations;
  connection: FoundConnection;
}

const limitDefault = 10;

/**
 * The places near a postal code of every carrier that the account has a connection with and that can be asked for
 * them. One deadline for all, as for a quote; `excluded_carriers` says why one gave none. Throws 422 for a place that
 * is none, and for a carrier that cannot be asked.
 */
export async function placesNear(ctx: Context, query: NearQuery): Promise<NearPlaces> {
  const address = addressOf(ctx, query);
  const sources = await locationSources(ctx, query.carrier?.toLowerCase());
  const limit = query.limit ?? limitDefault;
  const { rate_timeout_seconds: timeout_seconds } = ctx.config;
  const deadline = startDeadline(timeout_seconds);
  try {
    const replies = await Promise.all(
      sources.map((each) => askOne(ctx, each, { address, limit, deadline })),
    );
    return {
      data: replies.flatMap((reply) => ("places" in reply ? reply.places : [])).sort(nearestFirst),
      meta: {
        timeout_seconds,
        excluded_carriers: replies.flatMap((reply) => ("excluded" in reply ? reply.excluded : [])),
      },
    };
  } finally {
    deadline.stop();
  }
}

/** With what carriers need of a place; the account's default sender where no place is given. */
function addressOf({ account }: Context, { postal_code, country_code, city }: NearQuery): Address {
  const sender = account.default_from_address;
  if (postal_code === undefined) {
    if (sender) return sender;
    throw invalid({ postal_code: ["is required: the account has no default sender."] });
  }
  // Of the two, only Canada's codes begin with a letter.
  const country = country_code?.toUpperCase() ?? (/^\s*[a-z]/i.test(postal_code) ? "CA" : "US");
  const code = normalisePostalCode(country, postal_code);
  if (code === null) throw invalid({ postal_code: [`must be like ${postalCodeForm(country)}.`] });
  return {
    name: null,
    company: null,
    address1: "",
    address2: null,
    city: city ?? "",
    province_code: provinceOf(country, code),
    postal_code: code,
    country_code: country,
    phone: null,
    email: null,
    is_residential: false,
    tax_identifier: null,
  };
}

async function locationSources(
  { carriers, connections, account }: Context,
  code: string | undefined,
): Promise<LocationSource[]> {
  const inForce = await connections.inForce(account);
  const sources = carriers.all.flatMap((carrier): LocationSource[] => {
    const { locations } = carrier;
    const connection = inForce.find(carrier.descriptor.code);
    return locations && connection ? [{ carrier, locations, connection }] : [];
  });
  if (code === undefined) return sources;
  const named = sources.filter(({ carrier }) => carrier.descriptor.code === code);
  if (named.length > 0) return named;
  const why = carriers.find(code)
    ? "cannot be asked for its places here: GET /locations has those that are known."
    : "is no carrier of GET /carriers.";
  throw invalid({ carrier: [why] });
}

async function askOne(
  { account, log, metrics }: Context,
  { carrier, locations, connection }: LocationSource,
  { address, limit, deadline }: { address: Address; limit: number; deadline: Deadline },
): Promise<{ places: CarrierPlace[] } | { excluded: ExcludedCarrier }> {
  const { code, name } = carrier.descriptor;
  if (connection.status === "failing") {
    const message = `${name} does not accept our credentials.`;
    return { excluded: toExcluded(code, { reason: "carrier_credentials_invalid", message }) };
  }
  const { account_id, environment } = account;
  const context = { account_id, environment, connection: toConnection(connection) };
  const call = (signal: AbortSignal) => locations.near({ context, address, limit }, signal);
  metrics.carrier_calls.inc({ carrier: code, operation: "find_locations" });
  const reply = await askInTime(carrier, { call, what: "its places" }, deadline);
  if ("answer" in reply)
    return { places: reply.answer.slice(0, limit).map((place) => toPlace(code, place)) };
  log.warn({ carrier: code, reason: reply.exclusion.reason, err: reply.cause }, "locations.failed");
  return { excluded: toExcluded(code, reply.exclusion) };
}

function toExcluded(carrier: string, { reason, message }: Exclusion): ExcludedCarrier {
  return { carrier, reason, message, retryable: isRetryable(reason) };
}

function toPlace(carrier: string, place: CarrierLocation): CarrierPlace {
  const { id, name, address, distance_metres } = place;
  const { address1, address2, city, province_code, postal_code, country_code } = address;
  return {
    carrier,
    carrier_location_id: id,
    name,
    address: { address1, address2, city, province_code, postal_code, country_code },
    distance_km: distance_metres === null ? null : Math.round(distance_metres / 10) / 100,
  };
}

/** Those without a distance last, each carrier's in its own order. */
function nearestFirst(a: CarrierPlace, b: CarrierPlace): number {
  return (a.distance_km ?? Infinity) - (b.distance_km ?? Infinity) || 0;
}
