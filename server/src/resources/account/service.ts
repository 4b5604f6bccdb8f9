export { addPreferenceProblems } from "./preference-problems.ts";
