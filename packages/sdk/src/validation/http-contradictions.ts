import type { Problem } from "./problem.ts";
import { isOlder } from "./tls-schema.ts";
import type { ValidatedHttp } from "./validated-http.ts";

/** What options of `http` cannot be together: where it stands, and the rest of a sentence that begins there. */
export function httpContradictions(http: ValidatedHttp): Problem[] {
  const { protocol, proxy, unixSocket, localAddresses, tls } = http;
  const problems: Problem[] = [];
  if (unixSocket !== null && proxy !== null) {
    problems.push({ path: "unixSocket", message: "can't be together with proxy: leave one of them out" });
  }
  if (unixSocket !== null && localAddresses.length > 0) {
    problems.push({
      path: "unixSocket",
      message: "can't be together with localAddresses, which a socket has none of: leave one of them out",
    });
  }
  if (protocol === "http2" && isOlder(tls.maxVersion, "1.2")) {
    problems.push({
      path: "protocol",
      message: `can't be "http2" where tls.maxVersion is "${tls.maxVersion}": HTTP/2 needs TLS 1.2 or later`,
    });
  }
  return problems;
}
