import { billableWeight } from "../../domain/goods/units.ts";
import type { Cents } from "../../domain/values/money.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import type {
  AddOnCode,
  CarrierQuote,
  CarrierRate,
  CarrierService,
  ShipmentForCarrier,
} from "../carrier.ts";
import { refusePublished } from "../protocol/price-basis.ts";
import { centsIn, compact, dayIn, listIn, textIn, valueIn } from "../protocol/json.ts";
import type { UspsAccount } from "./credentials.ts";
import { errorTable, successOf, unreadable } from "./errors.ts";
import { extraServices, insuredValue } from "./options.ts";
import { isDomestic, pieceOf, zipOf, type Piece } from "./parties.ts";

/** Prices: a package as USPS's search of options, and what it found as rates. No I/O. */

export const optionsPath = "/shipments/v3/options/search";

/** No price of USPS's names a currency: it bills in dollars of the United States (assumption). */
export const uspsCurrency = "USD";

export function toOptionsRequest(
  shipment: ShipmentForCarrier,
  { account, add_ons }: { account: UspsAccount; add_ons: readonly AddOnCode[] },
): object {
  const { from_address, to_address, packages, ship_date, is_return } = shipment;
  const atHome = isDomestic(to_address);
  const { weight, length, width, height } = pieceOf(packages[0]!, "");
  const { account_type: accountType, account_number: accountNumber } = account;
  const extras = extraServices(add_ons, shipment);
  return {
    pricingOptions: [
      { priceType: account.price_type, paymentAccount: { accountType, accountNumber } },
    ],
    originZIPCode: zipOf(from_address).ZIPCode,
    ...(atHome
      ? { destinationZIPCode: zipOf(to_address).ZIPCode, destinationEntryFacilityType: "NONE" }
      : compact({
          destinationCountryCode: to_address.country_code,
          foreignPostalCode: to_address.postal_code?.slice(0, 11) || null,
        })),
    packageDescription: compact({
      weight,
      length,
      width,
      height,
      mailClass: atHome ? (is_return ? "ALL_RETURNS" : "ALL_OUTBOUND") : "ALL",
      extraServices: extras.length > 0 ? extras : null,
      packageValue: insuredValue(add_ons, packages[0]!),
      mailingDate: ship_date,
    }),
  };
}

/** One way of mailing, as USPS prices it. */
interface PricedOption {
  mail_class: string;
  rate_indicator: string | null;
  processing: string | null;
  /** Absent where USPS does not say which type of price it applied. */
  price_basis?: CarrierRate["price_basis"];
  base_cents: Cents;
  surcharges: CarrierRate["surcharges"];
  /** By the code of the extra. */
  extras: ReadonlyMap<string, Cents>;
  days: number | null;
  date: string | null;
  zone: string | null;
}

/** USPS's errors where nothing is priced between two places on that day (its list of errors). */
const noLane = new Set(["030001", "030013", "030020", "040001"]);

/**
 * The readable options of an answer; none where nothing goes there. Throws the `CarrierError` of every other answer.
 */
export function fromOptionsResponse(answer: HttpAnswer): PricedOption[] {
  if (answer.status === 400 && noLane.has(errorTable.read(answer)?.code ?? "")) return [];
  const body = successOf(answer);
  if (!Object.hasOwn(body, "pricingOptions")) throw unreadable();
  return listIn(body, "pricingOptions")
    .flatMap((option) => listIn(option, "shippingOptions"))
    .flatMap((option) => {
      const mailClass = textIn(option, "mailClass");
      return mailClass === null
        ? []
        : listIn(option, "rateOptions").flatMap((each) => fromRateOption(each, mailClass) ?? []);
    });
}

function fromRateOption(option: unknown, mail_class: string): PricedOption | null {
  const rates = listIn(option, "rates");
  const prices = rates.map((rate) => centsIn(rate, "price"));
  const fees = rates.flatMap((rate) => listIn(rate, "fees")).map(feeOf);
  if (rates.length === 0 || prices.includes(null) || fees.includes(null)) return null;
  const base_cents = (prices as Cents[]).reduce((sum, cents) => sum + cents, 0);
  if (base_cents <= 0) return null;
  const commitment = valueIn(option, "commitment");
  const days = /^(\d{1,2})\b/.exec(textIn(commitment, "name") ?? "")?.[1];
  return {
    mail_class,
    rate_indicator: textIn(rates[0], "rateIndicator"),
    processing: textIn(rates[0], "processingCategory"),
    ...basisOf(textIn(rates[0], "priceType")),
    base_cents,
    surcharges: (fees as CarrierRate["surcharges"]).filter(
      ({ amount_cents }) => amount_cents !== 0,
    ),
    extras: extrasIn(option),
    days: days ? Number(days) : null,
    date: dayIn(commitment, "expectedDeliveryDate") ?? dayIn(commitment, "scheduleDeliveryDate"),
    zone: textIn(rates[0], "zone"),
  };
}

/** Where the contract has no price, USPS answers with one of its published types. */
function basisOf(priceType: string | null): Pick<PricedOption, "price_basis"> {
  if (priceType === null) return {};
  return { price_basis: priceType === "CONTRACT" ? "negotiated" : "published" };
}

function feeOf(fee: unknown): CarrierRate["surcharges"][number] | null {
  const amount_cents = centsIn(fee, "price");
  const name = textIn(fee, "name");
  const code = textIn(fee, "SKU") ?? name;
  return amount_cents === null || code === null ? null : { code, name: name ?? code, amount_cents };
}

function extrasIn(option: unknown): Map<string, Cents> {
  const priced = listIn(option, "extraServices").flatMap((each) => {
    const code = textIn(each, "extraService");
    const cents = centsIn(each, "price");
    return code === null || cents === null || cents < 0 ? [] : [[code, cents] as const];
  });
  return new Map(priced);
}

/** Each of the services once: at the price of the parcel's own form, not of a box of USPS's. */
export function toQuote(
  shipment: ShipmentForCarrier,
  services: readonly CarrierService[],
  {
    account,
    plain,
    extras,
  }: {
    account: UspsAccount;
    plain: readonly PricedOption[];
    extras: readonly PricedOption[];
  },
): CarrierQuote {
  const quote: CarrierQuote = { rates: [], unavailable: [] };
  for (const service of services) {
    const piece = pieceOf(shipment.packages[0]!, service.carrier_service_code);
    const mailClass = mailClassOf(service, shipment);
    const own = bestOf(plain, mailClass, piece);
    const withExtras = bestOf(extras, mailClass, piece);
    if (own) quote.rates.push(toRate(shipment, service, { own, extras: withExtras?.extras }));
    else quote.unavailable.push(noRate(service));
  }
  return account.price_type === "CONTRACT"
    ? refusePublished(quote, { stated: plain, carrier_name: "USPS" })
    : quote;
}

/** A return has classes of its own. */
export function mailClassOf(
  { carrier_service_code }: Pick<CarrierService, "carrier_service_code">,
  { is_return }: Pick<ShipmentForCarrier, "is_return">,
): string {
  return is_return ? `${carrier_service_code}_RETURN_SERVICE` : carrier_service_code;
}

/** Indicators of USPS's own boxes and envelopes, which the sender does not have. */
const flatRates = new Set(["FA", "FB", "FE", "FP", "FS", "PL", "PM", "E4", "E6"]);

function bestOf(
  options: readonly PricedOption[],
  mailClass: string,
  { rate_indicator, processing }: Piece,
): PricedOption | undefined {
  const own = options.filter(
    (option) => option.mail_class === mailClass && !flatRates.has(option.rate_indicator ?? ""),
  );
  const fitting = own.filter((option) => option.rate_indicator === rate_indicator);
  return fitting.find((option) => option.processing === processing) ?? fitting[0] ?? own[0];
}

function toRate(
  { packages }: ShipmentForCarrier,
  service: CarrierService,
  { own, extras }: { own: PricedOption; extras: PricedOption["extras"] | undefined },
): CarrierRate {
  const offered: readonly AddOnCode[] = "add_ons" in service ? service.add_ons : [];
  return {
    service: service.code,
    currency: uspsCurrency,
    ...(own.price_basis ? { price_basis: own.price_basis } : {}),
    base_cents: own.base_cents,
    surcharges: own.surcharges,
    add_ons: offered.flatMap((code) => {
      const cost_cents = extraServiceCodes[code]
        .map((each) => extras?.get(each))
        .find((cents) => cents !== undefined);
      return cost_cents === undefined ? [] : [{ code, cost_cents, required: false }];
    }),
    estimated_delivery_days: own.days,
    estimated_delivery_date: own.date,
    billable_weight: billableWeight(packages),
    zone: own.zone,
  };
}

const extraServiceCodes: Readonly<Record<AddOnCode, readonly string[]>> = {
  signature: ["921"],
  adult_signature: ["922"],
  // Up to five hundred dollars, and above.
  protection: ["930", "931"],
  saturday_delivery: [],
};

function noRate({ code }: CarrierService): CarrierQuote["unavailable"][number] {
  return {
    service: code,
    reason: "no_rate_for_lane",
    message: "USPS has no rate for this service here.",
  };
}
