import { carrierContract } from "../contract.ts";
import { simulatedFreightCarrier } from "../simulated/simulated-freight-carrier.ts";
import { tforceFreight } from "./tforce-freight.ts";

carrierContract((url) => simulatedFreightCarrier(tforceFreight, url));
