import { carrierContract } from "../contract.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { fedex } from "./fedex.ts";

carrierContract((url) => simulatedCarrier(fedex, url));
