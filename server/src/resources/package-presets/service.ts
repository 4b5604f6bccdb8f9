export { hasPreset } from "./store.ts";
