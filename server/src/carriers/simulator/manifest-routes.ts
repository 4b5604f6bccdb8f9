import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Clock } from "../../domain/time/clock.ts";
import { callerOf, commitDeadlineMs } from "./caller.ts";
import { steered, type ConnectionFaults } from "./connection-faults.ts";
import { inTurn } from "./in-turn.ts";
import type { LabelBook } from "./label-book.ts";
import type { KnownManifest, ManifestBook } from "./manifest-book.ts";
import { WireManifestRequest, type WireManifest } from "./manifest-wire.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import { printManifest } from "./print-manifest.ts";
import { Refusal } from "./refusal.ts";
import { steeringOf } from "./steering.ts";

const InCarrier = Type.Object({ carrier: Type.String() });
const ByReference = Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) });

/** The part of a simulated carrier that manifests are about. */
interface ManifestingCarrier {
  tariff: CarrierTariff;
  labels: LabelBook;
  manifests: ManifestBook;
}

/** A carrier's manifests. The hooks of the carriers' routes have authenticated the caller, and applied the dials. */
export function manifestRoutes({
  carrierOf,
  faults,
  clock,
}: {
  /** Throws a refusal for a carrier that carries no parcels. */
  carrierOf: (carrier: string) => ManifestingCarrier;
  faults: ConnectionFaults;
  clock: Clock;
}): FastifyPluginAsyncTypebox {
  // A label that two manifests want at once is on one of them.
  const turn = inTurn();

  return async (app) => {
    app.post(
      "/carriers/:carrier/manifests",
      {
        config: { simulated_operation: "purchases" },
        schema: { params: InCarrier, body: WireManifestRequest },
      },
      async (request, reply) => {
        const { carrier: code } = request.params;
        const { reference, label_ids, address } = request.body;
        const carrier = carrierOf(code);
        const steering = steeringOf(address, code);
        if (await steered(steering, faults, reply)) return reply;
        if (steering.refuse)
          throw new Refusal(422, "manifest_refused", "The carrier refuses it (sim:refuse).");
        const made = await turn(code, async () => {
          if (carrier.manifests.find(reference))
            throw new Refusal(409, "duplicate_reference", "There is a manifest of this reference.");
          for (const label_id of label_ids) await refuseUnlessOpen(carrier, label_id);
          if (clock.now().getTime() - request.arrived_at > commitDeadlineMs)
            throw new Refusal(503, "too_late", "It waited too long; nothing was handed over.");
          return carrier.manifests.make(label_ids, { account: callerOf(request), reference });
        });
        if (steering.lost_answer) return faults.dropResponse(reply);
        return reply.code(201).send({ data: await asWire(carrier, made) });
      },
    );

    app.get(
      "/carriers/:carrier/manifests",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InCarrier, querystring: ByReference },
      },
      async ({ params, query }) => {
        const carrier = carrierOf(params.carrier);
        const found = carrier.manifests.find(query.reference);
        return { data: found ? [await asWire(carrier, found)] : [] };
      },
    );
  };
}

async function refuseUnlessOpen(
  { labels, manifests }: ManifestingCarrier,
  label_id: string,
): Promise<void> {
  const booked = await labels.peek({ label_id });
  if (!booked || booked.state.voided)
    throw new Refusal(409, "not_open", "There is no such label, or it is void.");
  if (manifests.of(label_id) !== null)
    throw new Refusal(409, "not_open", `${booked.state.tracking_code} is on a manifest already.`);
}

async function asWire(
  { labels, tariff }: ManifestingCarrier,
  { manifest_id, reference, label_ids, made_at }: Readonly<KnownManifest>,
): Promise<WireManifest> {
  const codes: string[] = [];
  for (const label_id of label_ids)
    codes.push((await labels.peek({ label_id }))?.state.tracking_code ?? label_id);
  const file = await printManifest({ name: tariff.name, made_at, codes });
  return { manifest_id, reference, file: file.toString("base64") };
}
