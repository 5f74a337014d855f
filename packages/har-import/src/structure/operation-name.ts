import type { Visit } from "../visit.ts";
import { looksSecret } from "../secrets/secret-looks.ts";

const isName = /^[_A-Za-z]\w{0,39}$/;

/** What a GraphQL request does, as its document calls it: its address says nothing. null where it has no such name. */
export function operationNameOf({ entry, url }: Visit): string | null {
  const { postData } = entry.request;
  const name =
    postData === null || postData.isBase64
      ? url.searchParams.get("operationName")
      : nameInJson(postData.text);
  return typeof name === "string" && isName.test(name) && !looksSecret(name) ? name : null;
}

function nameInJson(text: string): unknown {
  if (!text.includes('"operationName"')) return null;
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "operationName" in body ? body.operationName : null;
  } catch {
    return null;
  }
}
