import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { dialled, type Dialect, type SimulatedCarrierState } from "../../simulator/dialect.ts";
import type { SimulatedOperation } from "../../simulator/control/dials.ts";
import { printManifest } from "../../simulator/print-manifest.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { askedIn, errors, fault, ValidationFault, type SoapRequest } from "./answers.ts";
import { documents, manifests } from "./documents.ts";
import { pickups } from "./pickups.ts";
import { places } from "./locations.ts";
import { shipping } from "./shipping.ts";
import { tracking } from "./tracking.ts";

/** What answers an operation; undefined for one that the service does not have. */
export type Answers = Readonly<Record<string, Operation>>;
export interface Operation {
  dial: SimulatedOperation | null;
  answer(call: DialectCall): Promise<FastifyReply> | FastifyReply;
}
export interface DialectCall extends SoapRequest {
  simulated: SimulatedCarrierState;
  message: FastifyRequest;
  reply: FastifyReply;
}

const operations: Answers = {
  ...shipping,
  ...documents,
  ...manifests,
  ...tracking,
  ...pickups,
  ...places,
};

/** Purolator's SOAP services over the simulator's books, at the paths that the real ones have. */
export const purolatorDialect: Dialect = {
  carrier: "purolator",
  connection: {
    values: { account_number: "9999999999", contact_phone: "416-555-0100" },
    secrets: { key: "sandbox-key", password: "sandbox-password" },
  },
  routes:
    (simulated: SimulatedCarrierState): FastifyPluginAsync =>
    async (app) => {
      app.decorateRequest("arrived_at", 0);
      app.addContentTypeParser("text/xml", { parseAs: "buffer" }, (_request, body, done) => {
        done(null, body);
      });
      app.addHook("onRequest", async (request) => {
        request.arrived_at = simulated.clock.now().getTime();
      });
      app.setErrorHandler<Error>((error, _request, reply) => fault(reply, error));

      app.post("/:system/:version/:service/:file", async (message, reply) => {
        const asked = askedIn(message);
        try {
          requireCredentials(message);
          const operation = operations[asked.operation];
          if (!operation) throw new ValidationFault("Operation", "There is no such operation.");
          if (operation.dial && (await dialled(simulated, operation.dial, reply))) return reply;
          return await operation.answer({ ...asked, simulated, message, reply });
        } catch (error) {
          if (error instanceof Refusal && error.status < 500) return errors(reply, asked, error);
          throw error;
        }
      });

      app.get<{ Querystring: { i?: string } }>(
        "/ShipOnline/shipment/getLabel.ashx",
        async (request, reply) => {
          const manifest = simulated.manifests.get(request.query.i ?? "");
          if (!manifest) return reply.code(404).send();
          const known = await Promise.all(
            manifest.label_ids.map((label_id) => simulated.labels.peek({ label_id })),
          );
          const codes = known.flatMap((label) => label?.facts.package_tracking_codes ?? []);
          const file = await printManifest({
            name: simulated.tariff.name,
            made_at: manifest.made_at,
            codes,
          });
          return reply.type("application/pdf").send(file);
        },
      );
    },
};

function requireCredentials({ headers }: FastifyRequest): void {
  const credentials = /^Basic (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
  const [key, password] = Buffer.from(credentials, "base64").toString().split(":");
  if (!key || !password) throw new Refusal(401, "unauthorized", "The key is not one of ours.");
}
