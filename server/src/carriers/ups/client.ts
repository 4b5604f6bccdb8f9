import { randomUUID } from "node:crypto";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { classify } from "../protocol/classify.ts";
import { readJson, textIn } from "../protocol/json.ts";
import { basic, restClient, type Hosts, type RestCall } from "../protocol/rest-client.ts";
import type { IssuedToken } from "../protocol/tokens.ts";
import { accountOf } from "./credentials.ts";
import { errorTable, isTokenRefused, unreadable } from "./errors.ts";

/** Calls of UPS, with its access token. */
export interface UpsClient {
  call(call: RestCall): Promise<HttpAnswer>;
}

export const upsHosts: Hosts = {
  live: "https://onlinetools.ups.com",
  test: "https://wwwcie.ups.com",
};

export function upsClient(hosts: Hosts): UpsClient {
  const client = restClient({
    table: errorTable,
    hosts,
    isTokenRefused,
    async tokenCall(connection) {
      const { client_id = "", client_secret = "" } = connection.secrets;
      return Promise.resolve({
        path: "/security/v1/oauth/token",
        headers: {
          accept: "application/json",
          authorization: basic(client_id, client_secret),
          "content-type": "application/x-www-form-urlencoded",
          "x-merchant-id": accountOf(connection).number,
        },
        body: "grant_type=client_credentials",
      });
    },
    readToken,
  });
  return {
    call: (call) =>
      client.call({
        ...call,
        // 32 characters, echoed in UPS's own logs.
        headers: {
          transId: randomUUID().replaceAll("-", ""),
          transactionSrc: "waybill",
          ...call.headers,
        },
      }),
  };
}

/** The token of UPS's answer, which writes its life as text. Throws the `CarrierError` of every other answer. */
export function readToken(answer: HttpAnswer): IssuedToken {
  if (answer.status !== 200 || errorTable.read(answer)) throw classify(errorTable, answer);
  const body = readJson(answer);
  const token = textIn(body, "access_token");
  const life = textIn(body, "expires_in");
  if (token === null || life === null || !/^\d{1,7}$/.test(life)) throw unreadable();
  return { token, life_seconds: Number(life) };
}
