import { isDistinctive, isUuid } from "../secrets/random-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";

/** What stands for an id of the recording, which the next visit will not see. */
const id = "id";
/** A number or a hash, perhaps behind a few letters (`ORD-77123`): of five digits on nobody knows it by heart. */
const isNumbered = /^[a-z]{0,6}[-_]?\d{5,}$/i;
const isHash = /^(?:[a-z]{1,6}[-_])?(?=[a-f]*\d+[a-f])[\da-f]{8,}$/i;
const isEmail = /.@./;
/** The kind of a file is worth reading, whatever it is called. */
const ending = /\.[a-z]{2,4}$/;

/** A path in words, ids of the recording as `id`: `/orders/757419/edit` → `orders / id / edit`. */
export function readablePath({ pathname }: URL): string {
  return pathname.split("/").map(readable).join(" / ");
}

function readable(segment: string): string {
  // Behind a semicolon is what belongs to a visitor: `list.do;jsessionid=…`.
  const text = decode(segment).split(";", 1).join("");
  const kind = ending.exec(text)?.[0] ?? "";
  const name = text.slice(0, text.length - kind.length);
  if (isEmail.test(text)) return id;
  if (isId(name)) return id + kind;
  return isId(text) ? id : text;
}

function isId(text: string): boolean {
  if (isUuid(text) || isNumbered.test(text) || isHash.test(text)) return true;
  return isDistinctive(text) || looksSecret(text);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
