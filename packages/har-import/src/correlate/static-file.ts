import type { CapturedRequest } from "../capture-model.ts";
import { isSecretName } from "../secrets/secret-names.ts";
import { knownText } from "../value.ts";

const ending = /\.(avif|bmp|css|eot|gif|ico|jpe?g|m?js|map|mp3|mp4|otf|png|svg|ttf|wasm|webm|webp|woff2?)$/i;

/** Whether a request is for a file of a page. Ids in its address are versions, the same for everybody; signatures are not. */
export function isStaticFile({ method, path, query }: CapturedRequest): boolean {
  const last = path.at(-1);
  return (
    !query.some(({ name }) => isSecretName(name)) &&
    (method === "GET" || method === "HEAD") &&
    last !== undefined &&
    ending.test(knownText(last.value) ?? "")
  );
}
