import { carrierContract } from "../contract.ts";
import { asSeen, simulatorTraits } from "../carrier-traits-world.ts";
import { context } from "../contract-samples-world.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { uspsCarrier } from "./adapter.ts";
import { uspsDialect } from "./dialect/usps-dialect.ts";
import { usps, uspsOverRest } from "./usps.ts";
import { aConnection } from "./usps-world.ts";

carrierContract((url) => simulatedCarrier(usps, url));

/** USPS in its own form: a key sells once, and is answered with the same label until it is cancelled. */
carrierContract((url) => uspsCarrier(uspsOverRest, { live: url, test: url }), {
  ...simulatorTraits,
  context: { ...context, connection: aConnection() },
  path: "/dialects/usps",
  dialects: [uspsDialect],
  currency: "USD",
  own_codes: true,
  sells_twice: true,
  shows_voids: false,
  cancels_silently: true,
  seen: (label) => ({ ...asSeen(label), files: "fetch" }),
  beforehand(request, response) {
    if (request.url === "/oauth2/v3/token") {
      response.end('{"access_token": "token", "expires_in": "14399"}');
      return true;
    }
    if (request.url !== "/payments/v3/payment-authorization") return false;
    response.end('{"paymentAuthorizationToken": "payment", "roles": []}');
    return true;
  },
  refusal: '{"apiVersion": "v3", "error": {"code": "999", "message": "No.", "errors": []}}',
});
