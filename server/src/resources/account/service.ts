export { addDisabledServiceProblems } from "./disabled-services.ts";
export { addPreferenceProblems } from "./preference-problems.ts";
