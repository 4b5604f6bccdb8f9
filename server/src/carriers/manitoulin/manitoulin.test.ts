import { carrierContract } from "../contract.ts";
import { simulatedFreightCarrier } from "../simulated/simulated-freight-carrier.ts";
import { manitoulin } from "./manitoulin.ts";

carrierContract((url) => simulatedFreightCarrier(manitoulin, url));
