/** True if a text consists of these pieces, in order, with any text between them. */
export function isMadeOf(whole: string, pieces: readonly string[], isCutShort = false): boolean {
  const pattern = pieces.map(escapePattern).join(".*");
  return new RegExp(`^${pattern}${isCutShort ? "" : "$"}`, "s").test(whole);
}

/** Returns a pattern that matches exactly this text. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
