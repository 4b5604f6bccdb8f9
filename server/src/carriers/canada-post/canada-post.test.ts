import { carrierContract } from "../contract.ts";
import { simulatorTraits } from "../carrier-traits-world.ts";
import { context } from "../contract-samples-world.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { canadaPostCarrier } from "./adapter.ts";
import { canadaPost, canadaPostOverRest } from "./canada-post.ts";
import { canadaPostDialect } from "./dialect/canada-post-dialect.ts";
import { aConnection } from "./canada-post-world.ts";

carrierContract((url) => simulatedCarrier(canadaPost, url));

carrierContract((url) => canadaPostCarrier(canadaPostOverRest, { live: url, test: url }), {
  ...simulatorTraits,
  context: { ...context, connection: aConnection() },
  path: "/dialects/canada_post",
  dialects: [canadaPostDialect],
  currency: "CAD",
  sells_twice: true,
  asks_before_scheduling: true,
  asks_before_handing_over: true,
  refusal:
    "<messages><message><code>9999</code><description>No.</description></message></messages>",
});
