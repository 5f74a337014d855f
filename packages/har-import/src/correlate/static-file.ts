import { isSecretName } from "@bearhug/sdk/internal";
import type { CapturedRequest } from "../capture-model.ts";
import { isStaticFileName } from "../static-file.ts";
import { knownText } from "../value.ts";

/** Whether a request is for a file of a page. Ids in its address are versions, the same for everybody; signatures are not. */
export function isStaticFile({ method, path, query }: CapturedRequest): boolean {
  const last = path.at(-1);
  return (
    !query.some(({ name }) => isSecretName(name)) &&
    (method === "GET" || method === "HEAD") &&
    last !== undefined &&
    isStaticFileName(knownText(last.value) ?? "")
  );
}
