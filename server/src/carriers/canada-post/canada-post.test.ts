import { carrierContract } from "../contract.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import { canadaPost } from "./canada-post.ts";

carrierContract((url) => simulatedCarrier(canadaPost, url));
