import { fromCents, type Cents } from "../values/money.ts";
import type { Entry } from "./entry.ts";
import { amountOf, origin, type DescribedRow, type DescriptionContext } from "./description.ts";
import { personsIn, withoutPersons } from "./without-persons.ts";

/** What was asked of a carrier, what came of it, and the money that was held for it meanwhile. */

/** A moment in the life of an attempt; `id` is of the moment, so that no two are the same. */
export interface AttemptMoment extends DescribedRow {
  what: "begun" | "held" | "decided" | "ended" | "released";
  attempt_id: string;
  attempt_kind: string;
  party: string;
  status: string;
  failure: { kind: string; party_code: string; message: string } | null;
  decision: "stands" | "void" | null;
  decided_by: string | null;
  is_freight: boolean;
  service: string | null;
  service_name: string | null;
  total_cents: Cents | null;
  total_currency: string | null;
  held_cents: Cents | null;
  /** Of the shipment, whose carrier's message may repeat them; only with a failure. */
  addresses: readonly object[] | null;
}

interface Words {
  /** After "Asked Canada Post". */
  asked: string;
  /** After "Canada Post". */
  done: string;
  refused: string;
  absent: string;
  /** After "for". */
  thing: string;
}

const label: Words = {
  asked: "for a label",
  done: "issued the label",
  refused: "refused the label",
  absent: "issued no label",
  thing: "the label",
};

const booking: Words = {
  asked: "to book the freight",
  done: "booked the freight",
  refused: "refused the booking",
  absent: "booked nothing",
  thing: "the booking",
};

const wordsOf: Record<string, Words> = {
  label_purchase: label,
  label_void: {
    asked: "to void the label",
    done: "voided the label",
    refused: "refused to void the label",
    absent: "did not void the label",
    thing: "the void",
  },
  ltl_cancel: {
    asked: "to cancel the booking",
    done: "cancelled the booking",
    refused: "refused to cancel the booking",
    absent: "did not cancel the booking",
    thing: "the cancellation",
  },
};

const other: Words = {
  asked: "for something that costs money",
  done: "did it",
  refused: "refused it",
  absent: "did nothing",
  thing: "the attempt",
};

/**
 * One moment of an attempt: its beginning, its end, or a decision about it. The sentence depends on the kind of
 * effect.
 */
export function describeAttempt(moment: AttemptMoment, context: DescriptionContext): Entry {
  const { at, rank, id } = moment;
  return {
    at,
    rank,
    id,
    ...origin(moment, context),
    links: {},
    ...describers[moment.what](moment, context),
  };
}

type Text = Pick<Entry, "kind" | "title" | "details"> & Partial<Pick<Entry, "cause">>;

const describers: Record<
  AttemptMoment["what"],
  (moment: AttemptMoment, context: DescriptionContext) => Text
> = {
  begun(moment, { nameOf }) {
    const { service, service_name, total_cents, total_currency } = moment;
    const price =
      total_cents !== null && total_currency !== null
        ? amountOf(total_cents, total_currency)
        : null;
    const what = [service_name, price].filter((part) => part !== null).join(", ");
    const title = `Asked ${nameOf(moment.party)} ${words(moment).asked}`;
    return {
      kind: "attempt",
      title: what ? `${title}: ${what}` : title,
      details: {
        ...facts(moment),
        service,
        service_name,
        total: total_cents === null ? null : fromCents(total_cents),
        currency: total_currency,
      },
    };
  },

  held(moment, { currency }) {
    const cents = moment.held_cents ?? 0;
    return {
      kind: "ledger",
      title: `Held ${amountOf(cents, currency)} for ${words(moment).thing}`,
      details: { hold: "held", amount: fromCents(cents), currency, attempt_id: moment.attempt_id },
    };
  },

  decided(moment, { nameOf }) {
    const { done, absent } = words(moment);
    const said = `${nameOf(moment.party)} ${moment.decision === "stands" ? done : absent}`;
    return {
      kind: "operator",
      title: `The operator decided that ${said}`,
      details: { ...facts(moment), decision: moment.decision },
      cause: { type: "operator", id: moment.decided_by ?? "" },
    };
  },

  ended(moment, context) {
    const { failure } = moment;
    const message = failure && withoutPersons(failure.message, personsIn(moment.addresses ?? []));
    return {
      kind: "attempt",
      title: endOf(moment, context.nameOf(moment.party), message),
      details: { ...facts(moment), carrier_code: failure?.party_code ?? null, message },
    };
  },

  released(moment, { currency }) {
    const cents = moment.held_cents ?? 0;
    return {
      kind: "ledger",
      title: `Released ${amountOf(cents, currency)}, held for ${words(moment).thing}: nothing was charged`,
      details: {
        hold: "released",
        amount: fromCents(cents),
        currency,
        attempt_id: moment.attempt_id,
      },
    };
  },
};

function endOf(moment: AttemptMoment, name: string, message: string | null): string {
  const { done, refused, absent } = words(moment);
  if (moment.status === "settled") return `${name} ${done}`;
  if (moment.status === "absent") return `${name} ${absent}, as it was looked up`;
  if (moment.status !== "refused") return `${name} ${absent}; the operator has to decide`;
  const how = moment.failure?.kind === "refused" ? refused : `was not reached and ${absent}`;
  return message ? `${name} ${how}: ${message}` : `${name} ${how}`;
}

function words({ attempt_kind, is_freight }: AttemptMoment): Words {
  if (attempt_kind === "label_purchase" && is_freight) return booking;
  return wordsOf[attempt_kind] ?? other;
}

function facts({ attempt_id, attempt_kind, party, status }: AttemptMoment) {
  return { attempt_id, attempt_kind, carrier: party, status };
}
