import type { CapturedBody } from "../capture-model.ts";
import type { PostData } from "../capture.ts";
import { isBase64 } from "../read/is-base64.ts";
import { encodeForm } from "./encode-form.ts";
import { chooseBoundary, encodeMultipart, readBoundary } from "./encode-multipart.ts";

export interface BodyToSend {
  readonly body: CapturedBody;
  readonly contentType: string;
}

const defaultType = "application/octet-stream";
const formType = "application/x-www-form-urlencoded";

/**
 * The body of a request: its text as recorded, else made from the fields of its form. null when it has none.
 *
 * @param headerType The recorded Content-Type header, which wins over the body's own `mimeType`.
 */
export function buildBody(postData: PostData | null, headerType: string | null): BodyToSend | null {
  if (postData === null) return null;
  const contentType = headerType ?? postData.mimeType;
  if (postData.text !== "") {
    const text = postData.text.toWellFormed();
    const body = postData.isBase64 && isBase64(text) ? { base64: text } : { text };
    return { body, contentType: contentType || defaultType };
  }
  if (postData.params.length === 0) return null;
  if (/^multipart\//i.test(contentType)) {
    const boundary = readBoundary(contentType);
    if (boundary !== null) return { body: { text: encodeMultipart(postData.params, boundary) }, contentType };
    const chosen = chooseBoundary(postData.params);
    const withBoundary = `${contentType.replace(/;.*/s, "").trim()}; boundary=${chosen}`;
    return { body: { text: encodeMultipart(postData.params, chosen) }, contentType: withBoundary };
  }
  return { body: { text: encodeForm(postData.params) }, contentType: contentType || formType };
}
