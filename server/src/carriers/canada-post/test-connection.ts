import { CarrierError, type ConnectionTest } from "../carrier.ts";
import type { CarrierConnection } from "../connection.ts";
import type { PostClient } from "./client.ts";
import { contractOf } from "./credentials.ts";
import { errorTable, successOf } from "./errors.ts";
import { all } from "../protocol/xml.ts";

const timeout_ms = 15_000;

/** Asks for the customer's own information: it shows the credentials, and the contract beside them. */
export async function testConnection(
  client: PostClient,
  connection: CarrierConnection,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const { customer_number, contract_id } = contractOf(connection);
  const context = { account_id: "platform", environment: connection.environment, connection };
  try {
    const answer = await client.call({
      method: "GET",
      to: `/rs/customer/${encodeURIComponent(customer_number)}`,
      media_type: "application/vnd.cpc.customer+xml",
      context,
      signal,
      timeout_ms,
    });
    const contracts = all(successOf(answer, "customer"), "contracts/contract-id");
    const isKnown = contracts.some(({ text }) => sameNumber(text, contract_id ?? ""));
    if (contract_id === null || contracts.length === 0 || isKnown) {
      return { ok: true, code: "ok", message: "Canada Post accepts the credentials." };
    }
    const message =
      "Canada Post accepts the credentials, but has no such contract for the customer.";
    return { ok: false, code: "contract_unknown", message };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    const isInvalid = error.exclusion === "carrier_credentials_invalid";
    const code = isInvalid ? "credentials_invalid" : error.carrier_code;
    return { ok: false, code, message: error.message || `${errorTable.name} does not answer.` };
  }
}

/** Canada Post adds leading zeros to its numbers. */
function sameNumber(one: string, other: string): boolean {
  return one.replace(/^0+/, "") === other.replace(/^0+/, "");
}
