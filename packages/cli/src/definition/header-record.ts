/** Headers as a request's options take them; a name given several times is sent several times. */
export function headerRecord(
  headers: readonly (readonly [name: string, value: string])[],
): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}
