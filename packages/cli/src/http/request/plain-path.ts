import { longestKept } from "./recent-endpoints.ts";

/**
 * Paths and queries in which a URL parser changes nothing: no dot segment, no character that is to be encoded, no
 * fragment, and no second slash at the beginning, where a host would follow.
 */
const plain =
  /^\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@%-]*(?:\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@%-]*)?)*)?(?:\?[\w.~!$&()*+,;=:@%/?[\]|-]*)?$/;

/** True if a path with its query can be sent as it is, without parsing. */
export function isPlainPath(path: string): boolean {
  return path.length <= longestKept && plain.test(path);
}
