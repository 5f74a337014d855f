import { isSecretName } from "@bearhug/sdk/internal";
import type { CapturedRequest } from "./capture-model.ts";
import { knownText } from "./value.ts";

/** Endings of files that are parts of a page. */
const ending =
  /\.(?:avif|bmp|css|eot|gif|ico|jpe?g|m?js|map|mp3|mp4|otf|png|svg|ttf|wasm|webm|webp|woff2?)$/i;

/** Whether a path, or its last segment, is that of a file which is the same for everybody: ids in it are versions. */
export function isStaticFileName(path: string): boolean {
  return ending.test(path);
}

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
