/** Whether text decodes as base64, of either alphabet, line breaks allowed. */
export function isBase64(text: string): boolean {
  const compact = text.replace(/\s+/g, "");
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(compact) && compact.replace(/=+$/, "").length % 4 !== 1;
}
