import { Type, type Static } from "typebox";
import { DayOrMoment } from "../../domain/time/day-or-moment.ts";
import { ErrorCodeName } from "../../domain/error-answers/error-schemas.ts";
import { Moment, Nullable, OneOf } from "../../domain/values/schema.ts";

/** The request and response schemas of the request log. */

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
const shp = "shp_01k6x3v2m4f8r9t0a1b2c3d4e5";

/** The filters of `GET /requests`. */
export const RequestFilterQuery = Type.Object({
  status: Type.Optional(
    Type.String({
      pattern: "^[1-5](\\d\\d|xx)$",
      description: "An HTTP status, or a class of them: `4xx`.",
      examples: ["422"],
    }),
  ),
  method: Type.Optional(
    OneOf(methods, { $id: "HttpMethod", description: "The method of the call." }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "How the path begins, with or without the base address.",
      examples: ["/shipments"],
    }),
  ),
  request_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "The `Request-Id` of the answer. A client may use one several times.",
    }),
  ),
  from: Type.Optional(DayOrMoment({ description: "From this day (UTC) or moment on." })),
  to: Type.Optional(
    DayOrMoment({ description: "Up to this moment, or to the end of this day (UTC)." }),
  ),
  shipment_id: Type.Optional(
    Type.String({ maxLength: 100, description: "A shipment that it was about.", examples: [shp] }),
  ),
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The call's Idempotency-Key, whole.",
    }),
  ),
});
export type RequestFilterQuery = Static<typeof RequestFilterQuery>;

const Actor = Type.Object(
  { type: OneOf(["token", "user"], { $id: "CallerType" }), id: Type.String() },
  { $id: "Caller" },
);

const lineFields = {
  id: Type.String({ examples: ["req_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
  request_id: Type.String({ description: "As the `Request-Id` header of the answer." }),
  at: Moment({ description: "When the request arrived." }),
  method: Type.String({ examples: ["POST"] }),
  path: Type.String({
    description: "Below the base address. Texts that are neither of our paths nor ids are `…`.",
    examples: [`/shipments/${shp}`],
  }),
  route: Nullable(Type.String({ examples: ["/shipments/{shipment_id}"] })),
  status: Type.Integer(),
  ms: Type.Integer({
    description: "From arrival to the last byte of the answer, in milliseconds.",
  }),
  actor: Nullable(Actor),
  idempotency_key: Nullable(
    Type.String({ description: "One that is not a plain name stands as its digest, `sha256:…`." }),
  ),
  is_replay: Type.Boolean({ description: "The answer was the stored one of the Idempotency-Key." }),
  error_code: Nullable(ErrorCodeName),
  ip: Nullable(Type.String({ description: "The client's address." })),
};

export const LoggedRequest = Type.Object(lineFields, { $id: "LoggedRequest" });
export type LoggedRequest = Static<typeof LoggedRequest>;

const body = (description: string) =>
  Type.Unknown({
    description: `${description} What could name a person or hold a secret is \`…\`; of a long one the beginning is kept. Null where none is kept.`,
  });

export const CarrierCall = Type.Object(
  {
    id: Type.String({ examples: ["ccl_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    at: Moment(),
    carrier: Type.String({ examples: ["canada_post"] }),
    operation: Type.String({ examples: ["buy_label"] }),
    outcome: Type.String({
      description: "`ok`, or how it failed: `refused`, `unreachable`, `unknown`, and the code.",
      examples: ["ok"],
    }),
    ms: Type.Integer(),
    shipment_id: Nullable(Type.String({ examples: [shp] })),
    request_body: body("What was asked."),
    response_body: body("What was answered."),
  },
  { $id: "CarrierCall" },
);

export const LoggedRequestInFull = Type.Object(
  {
    ...lineFields,
    request_body: body("The body of the call."),
    response_body: body("The answer, of calls that change something and of refusals."),
    carrier_calls: Type.Array(CarrierCall, {
      description: "Calls of carriers that the request made; kept as long as bodies are.",
    }),
  },
  { $id: "LoggedRequestInFull" },
);
export type LoggedRequestInFull = Static<typeof LoggedRequestInFull>;
