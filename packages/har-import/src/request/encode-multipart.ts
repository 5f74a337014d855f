import type { PostParam } from "../capture.ts";

/** Fields as `multipart/form-data`. */
export function encodeMultipart(params: readonly PostParam[], boundary: string): string {
  const parts = params.map(({ name, value, fileName, contentType }) => {
    const file = fileName === null ? "" : `; filename="${escapeQuoted(fileName)}"`;
    const type = contentType === null ? "" : `Content-Type: ${contentType.replace(/[\r\n]+/g, " ")}\r\n`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuoted(name)}"${file}\r\n${type}\r\n${value}\r\n`;
  });
  return `${parts.join("")}--${boundary}--\r\n`.toWellFormed();
}

/** The boundary that a Content-Type gives; null when it gives none. */
export function readBoundary(contentType: string): string | null {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

/** A boundary that occurs in no field; the same for the same fields. */
export function chooseBoundary(params: readonly PostParam[]): string {
  let boundary = "----bearhug";
  for (let attempt = 1; params.some(({ value }) => value.includes(boundary)); attempt++) {
    boundary = `----bearhug-${attempt}`;
  }
  return boundary;
}

/** As browsers do (HTML standard, multipart/form-data encoding). */
function escapeQuoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
