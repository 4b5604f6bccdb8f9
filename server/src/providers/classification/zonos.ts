import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";
import { newId } from "../../domain/values/ids.ts";
import type { Classification } from "../../domain/products/product.ts";
import { connections, TransportError } from "../../transport/http-call.ts";
import { callJson, type JsonResponse } from "../../transport/json-call.ts";
import { ClassifierError, type Classifier, type GoodsToClassify } from "./classifier.ts";

/** Zonos Classify over its GraphQL API: one mutation for each question, paid by the call. */

export interface ZonosOptions {
  /** Of the organization's dashboard; sent as the header `credentialToken`. */
  credential_token: string;
  /** Zonos's address, `https://api.zonos.com/graphql`; tests have their own. */
  url: string;
  timeout_ms: number;
}

const question = `mutation Classify($inputs: [ClassificationCalculateInput!]!) {
  classificationsCalculate(input: $inputs) {
    id
    confidenceScore
    hsCode { code description { friendly } }
    alternates { probabilityMass subheadingAlternate { code description { friendly } } }
  }
}`;

const nullable = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
// Zonos sends decimals as numbers or as text.
const Decimal = Type.Union([Type.Number(), Type.String({ pattern: "^(\\d+(\\.\\d+)?|\\.\\d+)$" })]);
const HsCode = Type.Object({
  code: Type.String({ pattern: "^[\\d. ]+$", maxLength: 30 }),
  description: nullable(Type.Object({ friendly: nullable(Type.String()) })),
});
const Result = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  confidenceScore: nullable(Decimal),
  hsCode: nullable(HsCode),
  alternates: nullable(
    Type.Array(Type.Object({ probabilityMass: Decimal, subheadingAlternate: HsCode })),
  ),
});
const answered = Compile(
  Type.Object({
    data: Type.Object({
      classificationsCalculate: Type.Array(Result, { minItems: 1, maxItems: 1 }),
    }),
  }),
);
const failed = Compile(
  Type.Object({ errors: Type.Array(Type.Object({ message: Type.String() }), { minItems: 1 }) }),
);

const party = "zonos";
/** More of a description adds nothing new and is not sent. */
const descriptionChars = 5_000;
const alternativesMost = 5;

export function zonosClassifier({ credential_token, url, timeout_ms }: ZonosOptions): Classifier {
  const agent = connections();
  return {
    party,
    async classify(goods) {
      const answer = await callJson(agent, {
        method: "POST",
        url,
        headers: { credentialToken: credential_token },
        body: { query: question, variables: { inputs: [inputOf(goods)] } },
        // The whole call ends with the timeout, however slowly its parts arrive.
        signal: AbortSignal.timeout(timeout_ms),
        timeout_ms,
      }).catch((error: unknown) => {
        throw error instanceof TransportError ? outcomeUnknown(error) : error;
      });
      return read(answer);
    },
  };
}

function inputOf(goods: GoodsToClassify): object {
  const { title, description, sku, country_of_origin, destination_country } = goods;
  return {
    name: title,
    ...(description ? { description: description.slice(0, descriptionChars).toWellFormed() } : {}),
    ...(country_of_origin ? { countryOfOrigin: country_of_origin } : {}),
    configuration: {
      ...(sku === null ? {} : { sku }),
      ...(destination_country ? { shipToCountries: [destination_country] } : {}),
    },
  };
}

function read({ status, body }: JsonResponse): Classification {
  // GraphQL answers 200 to what failed, too.
  if (failed.Check(body)) return readFailure(status, body.errors[0]!.message);
  if (status === 401 || status === 403) throw refused("unauthorized", credentialsRefused);
  if (status === 429) throw busy("rate_limited");
  if (status >= 500) throw busy(`status_${status}`);
  if (status !== 200 || !answered.Check(body)) throw badResponse();
  return toClassification(body.data.classificationsCalculate[0]!);
}

/** Its message for goods of which it knows too little, which is a result and no failure. */
const noAnswer = /no adequate response/i;
const credentialsRefused =
  "The classification service does not accept this platform's credentials.";

function readFailure(status: number, message: string): Classification {
  if (noAnswer.test(message)) return { ...nothingFound, classification_id: newId("cls") };
  if (/authentication|unauthori[sz]ed|credential|forbidden/i.test(message) || status === 401)
    throw refused("unauthorized", credentialsRefused);
  if (status >= 500 || status === 429) throw busy(`status_${status}`);
  throw refused("refused", message.slice(0, 500));
}

const nothingFound = {
  hs_code: null,
  description: null,
  confidence: 0,
  alternatives: [],
  provider: party,
};

function toClassification(result: Static<typeof Result>): Classification {
  if (!result.hsCode) return { ...nothingFound, classification_id: result.id };
  return {
    ...coded(result.hsCode, result.confidenceScore ?? 0),
    alternatives: (result.alternates ?? [])
      .map((each) => coded(each.subheadingAlternate, each.probabilityMass))
      .slice(0, alternativesMost),
    provider: party,
    classification_id: result.id,
  };
}

function coded({ code, description }: Static<typeof HsCode>, probability: number | string) {
  const digits = code.replace(/\D/g, "");
  if (digits.length < 6) throw badResponse();
  return {
    // Some countries have up to fourteen; ten is what Waybill's customs forms hold.
    hs_code: digits.slice(0, 10),
    description: description?.friendly ?? "",
    confidence: Math.min(1, Math.max(0, Number(probability))),
  };
}

function outcomeUnknown(error: TransportError): ClassifierError {
  const { kind, code } = error;
  const message = `The classification service ${error.message}.`;
  return new ClassifierError({ party, kind, code, message, is_retryable: true }, error);
}

function busy(code: string): ClassifierError {
  const message = "The classification service cannot answer at the moment.";
  return new ClassifierError({ party, kind: "unknown", code, message, is_retryable: true });
}

function refused(code: string, message: string): ClassifierError {
  return new ClassifierError({ party, kind: "refused", code, message, is_retryable: false });
}

function badResponse(): ClassifierError {
  const message = "The classification service gave an answer that cannot be read.";
  const code = "bad_answer";
  return new ClassifierError({ party, kind: "unknown", code, message, is_retryable: true });
}
