import type { CapturedRequest } from "../capture-model.ts";
import { knownText } from "../value.ts";

/** The end of the path of a form for something new: `/roles/add`, `/admin/notes/add/`. */
const newWord = /^(?:add|create|new)$/i;

/**
 * Returns the words before `add`, `new` or `create` in the path of a form that was accepted: it redirected
 * elsewhere, such as to a list. null for any other request.
 */
export function creatingPath({ method, path, landsOn }: CapturedRequest): readonly string[] | null {
  if (method !== "POST" || landsOn === null) return null;
  const words = path.map(({ value }) => knownText(value) ?? "").filter((word) => word !== "");
  const last = words.pop() ?? "";
  return words.length > 0 && newWord.test(last) ? words : null;
}
