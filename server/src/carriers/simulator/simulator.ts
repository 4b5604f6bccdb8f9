import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import fastify, { type FastifyError, type FastifyPluginAsync } from "fastify";
import { systemClock, type Clock } from "../../domain/time/clock.ts";
import { logKey } from "../../domain/values/schema.ts";
import { couriers, freightCarriers } from "./carriers/carriers.ts";
import { chargeBook, processorCode } from "./payments/charge-book.ts";
import { controlRoutes } from "./control/routes.ts";
import { dialBoard } from "./control/dials.ts";
import { bookingBook } from "./freight/booking-book.ts";
import type { SimulatedFreightCarrier } from "./freight/routes.ts";
import type { Dialect } from "./dialect.ts";
import { connectionFaults } from "./connection-faults.ts";
import { openJournal, type Entry, type Journal } from "./journal.ts";
import { itineraries as newItineraries, usualPace, type Pace } from "./itineraries/itineraries.ts";
import { labelBook } from "./label-book.ts";
import { manifestBook } from "./manifest-book.ts";
import { paymentRoutes } from "./payments/routes.ts";
import { pickupBook } from "./pickups/pickup-book.ts";
import { drawHere, type DrawLabel } from "./print-label.ts";
import { Refusal } from "./refusal.ts";
import { carrierRoutes, type SimulatedCarrier } from "./routes.ts";

/**
 * The simulated outside world (decision 24): five couriers, three freight carriers and a card processor, as a
 * program of its own that is reached over HTTP, so that timeouts, resets and incomplete responses are real.
 * It shares no state with Waybill, and what it commits it writes to a readable journal: an independent
 * oracle. `carriers/` holds what tells one from another, prices included, `label-book.ts` the purchases, `freight/` both for trucks,
 * `steering.ts` and `dials.ts` the faults.
 */
interface SimulatorOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  journal_path: string;
  clock?: Clock;
  /** The pace of itineraries. */
  pace?: Pace;
  /** Carriers that are spoken to in their own form, too. */
  dialects?: readonly Dialect[];
  /** Draws labels; in this thread without it. */
  draw?: DrawLabel;
}

export interface Simulator {
  /** Without a slash at the end. */
  url: string;
  /** Finishes requests under way, closes connections that hang, and closes the journal. */
  close(): Promise<void>;
}

const maxBodyBytes = 1024 * 1024;

/** Starts the simulator on its journal. Throws when the address is taken or the journal is damaged. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock = systemClock, pace = usualPace, draw = drawHere } = options;
  await mkdir(dirname(options.journal_path), { recursive: true, mode: 0o700 });
  const journal = await openJournal(options.journal_path, clock);
  const itineraries = newItineraries(clock, pace);
  const books = { journal, itineraries, clock, draw };
  const carriers = new Map<string, SimulatedCarrier>(
    [...couriers].map(([code, { tariff }]) => [
      code,
      {
        tariff,
        labels: labelBook(tariff, books),
        pickups: pickupBook(code, journal),
        manifests: manifestBook(code, journal),
      },
    ]),
  );
  const freight = new Map<string, SimulatedFreightCarrier>(
    [...freightCarriers].map(([code, { tariff }]) => [
      code,
      { tariff, bookings: bookingBook(tariff, books) },
    ]),
  );
  const charges = chargeBook(journal);
  await replay(journal, (entry) => {
    if (entry.carrier === processorCode) return charges.replay(entry);
    const carrier = carriers.get(entry.carrier);
    carrier?.labels.replay(entry);
    carrier?.pickups.replay(entry);
    carrier?.manifests.replay(entry);
    freight.get(entry.carrier)?.bookings.replay(entry);
  });

  const app = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: 30_000,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler<object>(({ schema }) => validatorOf(schema));
  const faults = connectionFaults(app);
  const dials = dialBoard();
  app.setErrorHandler<FastifyError | Refusal>((error, _request, reply) => {
    const { status, code, message, details } = refusalOf(error);
    return reply.code(status).send({ error: { code, message, ...details } });
  });
  app.setNotFoundHandler(() => {
    throw new Refusal(404, "not_found", "There is nothing at this path.");
  });
  app.register(carrierRoutes({ carriers, freight, seed: journal.seed, dials, faults, clock }));
  for (const { carrier, routes } of options.dialects ?? []) {
    const simulated = { ...carriers.get(carrier)!, seed: journal.seed, dials, faults, clock, draw };
    const counted: FastifyPluginAsync = async (own) => {
      own.addHook("onRequest", async () => dials.received(carrier));
      await own.register(routes(simulated));
    };
    app.register(counted, { prefix: `/dialects/${carrier}` });
  }
  app.register(paymentRoutes({ charges, dials, faults }));
  app.register(controlRoutes({ journal, dials, itineraries }));
  app.addHook("onClose", () => journal.close());

  try {
    const url = await app.listen({ host: options.host, port: options.port });
    return { url, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}

const ajv = new Ajv({
  keywords: [logKey],
  useDefaults: true,
  code: { optimize: false },
  validateSchema: false,
});
addFormats.default(ajv);

/** Fastify's validation, by a schema that is compiled at its first use: a start compiles none. */
function validatorOf(schema: object): FastifySchemaValidator {
  let compiled: ValidateFunction | undefined;
  const validate: FastifySchemaValidator = (value) => {
    compiled ??= ajv.compile(schema);
    const isValid = compiled(value);
    validate.errors = compiled.errors;
    return isValid;
  };
  return validate;
}

interface FastifySchemaValidator {
  (value: unknown): boolean;
  errors?: ValidateFunction["errors"];
}

async function replay(journal: Journal, take: (entry: Entry) => void): Promise<void> {
  const page = 1_000;
  let after = 0;
  for (;;) {
    const entries = await journal.read(after, page);
    entries.forEach(take);
    if (entries.length < page) return;
    after += page;
  }
}

/** Fastify's own refusals (bad JSON, too large, wrong shape) keep their status; all else is a bug. */
function refusalOf(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  const status = error.validation ? 422 : (error.statusCode ?? 500);
  if (status >= 500) return new Refusal(500, "internal_error", "The carrier failed.");
  return new Refusal(status, "request_invalid", error.message);
}
