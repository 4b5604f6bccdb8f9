import { carrierContract } from "../contract.ts";
import { simulatedFreightCarrier } from "../simulated/simulated-freight-carrier.ts";
import { dayRoss } from "./day-ross.ts";

carrierContract((url) => simulatedFreightCarrier(dayRoss, url));
