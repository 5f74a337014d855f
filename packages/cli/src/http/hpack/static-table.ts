import { Field } from "./field.ts";

/** RFC 7541, appendix A, from index 1 on. */
const table = `:authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|\
:status 204|:status 206|:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|\
accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|\
content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|\
cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|\
last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|\
server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate`;

/** The fields of the static table; the one with index 1 comes first. */
export const staticFields: readonly Field[] = table.split("|").map((entry) => {
  const [name = "", ...value] = entry.split(" ");
  return new Field(name, value.join(" "));
});

/** The index of the first entry of the dynamic table. */
export const firstDynamicIndex: number = staticFields.length + 1;

const firstOfName = new Map<string, number>();
for (const [position, { name }] of staticFields.entries()) {
  if (!firstOfName.has(name)) firstOfName.set(name, position + 1);
}

/** The index of the first field with this name; 0 if there is none. */
export function findStaticName(name: string): number {
  return firstOfName.get(name) ?? 0;
}

/** The index of the field with this name and value, given the first index of the name; 0 if there is none. */
export function findStaticField(firstIndex: number, name: string, value: string): number {
  if (firstIndex === 0) return 0;
  for (let index = firstIndex; staticFields[index - 1]?.name === name; index++) {
    if (staticFields[index - 1]?.value === value) return index;
  }
  return 0;
}
