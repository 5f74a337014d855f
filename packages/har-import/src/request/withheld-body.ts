import type { PostData } from "../capture.ts";

/** To search more for secrets takes seconds, and hundreds of megabytes. */
const maxSearchedCharacters = 8 * 2 ** 20;

/** Whether a body is too large to be searched for secrets: then it is not sent, for it may hold some. */
export function isWithheld(postData: PostData | null): boolean {
  return postData !== null && postData.text.length > maxSearchedCharacters;
}

/** What to say beside a request whose body is withheld. */
export function hintWithheldBody(): string {
  return "request body omitted: bodies over 8 MiB are not searched for secrets. Add it by hand";
}
