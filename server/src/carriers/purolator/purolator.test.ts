import { carrierContract } from "../contract.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { purolator } from "./purolator.ts";

carrierContract((url) => simulatedCarrier(purolator, url));
