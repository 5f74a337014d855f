import { isSecretName } from "@bearhug/text/secrets/secret-names";
import type { CapturedRequest } from "./capture-model.ts";
import { knownText } from "./value.ts";

/** Extensions of files that are parts of a page. */
const ending =
  /\.(?:avif|bmp|css|eot|gif|ico|jpe?g|m?js|map|mp3|mp4|otf|png|svg|ttf|wasm|webm|webmanifest|webp|woff2?)$/i;

/** Returns true for the path, or last segment, of a file that is the same for all visitors. Ids in it are versions. */
export function isStaticFileName(path: string): boolean {
  return ending.test(path);
}

/**
 * Returns true for a request of a static file. Ids in its address are versions, the same for everybody; signatures are
 * not.
 */
export function isStaticFile({ method, path, query }: CapturedRequest): boolean {
  const last = path.at(-1);
  return (
    !query.some(({ name }) => isSecretName(name)) &&
    (method === "GET" || method === "HEAD") &&
    last !== undefined &&
    isStaticFileName(knownText(last.value) ?? "")
  );
}
