import type { PostParam } from "../capture.ts";

/** Fields as `application/x-www-form-urlencoded`. */
export function encodeForm(params: readonly PostParam[]): string {
  return params.map(({ name, value }) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

/** Some recorders write fields decoded, others as sent. What has only whole escapes was sent so, and stays so. */
function encodePart(part: string): string {
  const isEncoded = part.includes("%") && !/%(?![\dA-Fa-f]{2})/.test(part);
  const wellFormed = part.toWellFormed();
  if (isEncoded) return wellFormed.replace(/[^\w.*+%-]+/g, encodeURIComponent);
  return encodeURIComponent(wellFormed)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}
