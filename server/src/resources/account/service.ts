export { addDisabledServiceProblems } from "./disabled-services.ts";
export { addPreferenceProblems } from "./preference-problems.ts";
export { addTimeZoneProblem } from "./time-zone-problem.ts";
