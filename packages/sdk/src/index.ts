export { BearhugError } from "./bearhug-error.ts";
