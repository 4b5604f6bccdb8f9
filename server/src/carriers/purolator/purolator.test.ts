import { carrierContract } from "../contract.ts";
import { asSeen, simulatorTraits } from "../carrier-traits-world.ts";
import { context } from "../contract-samples-world.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { purolatorCarrier } from "./adapter.ts";
import { purolatorDialect } from "./dialect/purolator-dialect.ts";
import { aConnection } from "./purolator-world.ts";
import { purolator, purolatorOverSoap } from "./purolator.ts";

carrierContract((url) => simulatedCarrier(purolator, url));

carrierContract((url) => purolatorCarrier(purolatorOverSoap, { live: url, test: url }), {
  ...simulatorTraits,
  context: { ...context, connection: aConnection() },
  path: "/dialects/purolator",
  dialects: [purolatorDialect],
  currency: "CAD",
  sells_twice: true,
  shows_voids: false,
  asks_before_buying: true,
  seen: (label) => ({ ...asSeen(label), state: "unknown", cost: null, files: "fetch" }),
  refusal:
    "<Envelope><Body><Response><ResponseInformation><Errors><Error><Code>1</Code><Description>No.</Description></Error></Errors></ResponseInformation></Response></Body></Envelope>",
});
