import type { HttpAnswer } from "../../transport/http-call.ts";
import { classify } from "../protocol/classify.ts";
import { readJson, textIn } from "../protocol/json.ts";
import { restClient, type Hosts, type RestCall } from "../protocol/rest-client.ts";
import type { IssuedToken } from "../protocol/tokens.ts";
import { accountOf, toPaymentAuthorization } from "./credentials.ts";
import { errorTable, isTokenRefused, refusalText, successOf, unreadable } from "./errors.ts";

/** Calls of USPS, with its access token; those that cost money also with one for the payment. */
export interface UspsClient {
  call(call: RestCall): Promise<HttpAnswer>;
  /**
   * The same, on the account of the connection. Where USPS refused the payment's token, which proves that nothing was
   * done, it is renewed and the call made once more.
   */
  paidCall(call: RestCall): Promise<HttpAnswer>;
}

export const uspsHosts: Hosts = {
  live: "https://apis.usps.com",
  test: "https://apis-tem.usps.com",
};

const payment = "payment";
/** Eight hours, by USPS's documents: its answer does not say it. */
const paymentLifeSeconds = 8 * 3_600;

export function uspsClient(hosts: Hosts): UspsClient {
  const client = restClient({
    table: errorTable,
    hosts,
    isTokenRefused,
    async tokenCall(connection, audience, { token }) {
      const headers = { accept: "application/json", "content-type": "application/json" };
      if (audience === payment) {
        const authorization = `Bearer ${await token("api")}`;
        const body = JSON.stringify(toPaymentAuthorization(accountOf(connection)));
        const path = "/payments/v3/payment-authorization";
        return { path, headers: { ...headers, authorization }, body };
      }
      const { client_id, client_secret } = connection.secrets;
      const grant = { client_id, client_secret, grant_type: "client_credentials" };
      return { path: "/oauth2/v3/token", headers, body: JSON.stringify(grant) };
    },
    readToken: (answer, audience) =>
      audience === payment ? readPaymentToken(answer) : readToken(answer),
  });

  return {
    call: (call) => client.call(call),
    async paidCall(call) {
      const once = async (token: string) =>
        client.call({
          ...call,
          headers: { ...call.headers, "X-Payment-Authorization-Token": token },
        });
      const token = await client.token(payment, call);
      const answer = await once(token);
      if (!isPaymentRefused(answer)) return answer;
      client.dropToken(payment, call.context, token);
      return once(await client.token(payment, call));
    },
  };
}

/** By its text: no code of USPS's says so (assumption). */
function isPaymentRefused(answer: HttpAnswer): boolean {
  if (answer.status !== 401 && answer.status !== 403) return false;
  return /payment authorization/i.test(refusalText(answer));
}

/** The token of USPS's answer, which writes its life as text. Throws the `CarrierError` of every other answer. */
export function readToken(answer: HttpAnswer): IssuedToken {
  if (answer.status !== 200 || errorTable.read(answer)) throw classify(errorTable, answer);
  const body = readJson(answer);
  const token = textIn(body, "access_token");
  const life = textIn(body, "expires_in");
  if (token === null || life === null || !/^\d{1,7}$/.test(life)) throw unreadable();
  return { token, life_seconds: Number(life) };
}

/** The token of a payment authorization. Throws the `CarrierError` of every other answer. */
export function readPaymentToken(answer: HttpAnswer): IssuedToken {
  const token = textIn(successOf(answer), "paymentAuthorizationToken");
  if (token === null) throw unreadable();
  return { token, life_seconds: paymentLifeSeconds };
}
