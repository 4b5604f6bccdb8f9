import { carrierContract } from "../contract.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { ups } from "./ups.ts";

carrierContract((url) => simulatedCarrier(ups, url));
