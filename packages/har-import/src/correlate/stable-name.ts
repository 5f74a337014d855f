import { looksSecret } from "../secrets/secret-values.ts";
import { isDistinctive } from "./distinctive.ts";

const maxLength = 60;

/** Whether a key or name is one that the next answer has too: no id, no address of a person, no secret. */
export function isStableName(name: string): boolean {
  return (
    name !== "" &&
    name.length <= maxLength &&
    !/\d{4}|.@./.test(name) &&
    !isDistinctive(name) &&
    !looksSecret(name)
  );
}
