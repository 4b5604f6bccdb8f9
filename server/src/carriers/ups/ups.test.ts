import { carrierContract } from "../contract.ts";
import type { CarrierTraits } from "../carrier-traits-world.ts";
import { asSeen, simulatorTraits } from "../carrier-traits-world.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { upsCarrier } from "./adapter.ts";
import { upsDialect } from "./dialect/ups-dialect.ts";
import { ups, upsOverRest } from "./ups.ts";
import { aConnection } from "./ups-world.ts";

carrierContract((url) => simulatedCarrier(ups, url));

/** UPS in its own form: it knows a label by tracking only, and takes a reference as often as it is given. */
const own: CarrierTraits = {
  ...simulatorTraits,
  context: {
    account_id: "acc_contract",
    environment: "test",
    connection: aConnection(),
  },
  path: "/dialects/ups",
  dialects: [upsDialect],
  currency: "CAD",
  own_codes: true,
  sells_twice: true,
  seen: (label) => ({
    ...asSeen(label),
    cost: null,
    files: "fetch",
    carrier_data: { ...label.carrier_data, first_is_unknown: true },
  }),
  seenPickup: (pickup) => ({ ...pickup, fee: null, cancelled: false }),
  same_file_again: false,
  beforehand(request, response) {
    if (request.url !== "/security/v1/oauth/token") return false;
    response.end('{"access_token": "token", "expires_in": "14399"}');
    return true;
  },
  refusal: '{"response": {"errors": [{"code": "999", "message": "No."}]}}',
};
carrierContract((url) => upsCarrier(upsOverRest, { live: url, test: url }), own);
