/** Returns the value of the first header of this name, which is in lower case; undefined without one. */
export function headerValue(
  headers: readonly (readonly [name: string, value: string])[],
  lowerName: string,
): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}
