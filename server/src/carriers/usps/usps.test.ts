import { carrierContract } from "../contract.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { usps } from "./usps.ts";

carrierContract((url) => simulatedCarrier(usps, url));
