import { isDistinctive } from "../secrets/random-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";

const maxLength = 60;
const run = /[A-Za-z\d]{8,60}/g;
/** From small to large letters to digits, as in no name: `sess9Qx7`, and not `level2Item3`. */
const change = /[a-z](?=[A-Z](?![a-z]{2})|\d)|[A-Z](?=[a-z](?![a-z])|\d)|\d(?=[A-Za-z])/g;
const minChangesPerCharacter = 0.4;

/** Whether a key or name is one that the next answer has too: no id, no address of a person, no secret. */
export function isStableName(name: string): boolean {
  return (
    name !== "" &&
    name.length <= maxLength &&
    !/\d{4}|.@./.test(name) &&
    !isDistinctive(name) &&
    !hasShortId(name) &&
    !looksSecret(name)
  );
}

/** Whether part of a name is an id although it is short. */
export function hasShortId(name: string): boolean {
  return Array.from(name.matchAll(run), ([letters]) => letters).some(
    (letters) =>
      /\d/.test(letters) && (letters.match(change)?.length ?? 0) / letters.length >= minChangesPerCharacter,
  );
}
