import type { FaultRow } from "./fault-row.ts";
import { shortTimeout } from "./fault-row.ts";
import { answer, type ConnectionScript } from "./server-script.ts";

const target = "https://target.example";
const tunnelFaults: readonly (readonly [
  name: string,
  script: ConnectionScript,
  code: NonNullable<FaultRow["outcome"]["code"]>,
  says: string,
])[] = [
  [
    "a proxy that requires credentials",
    answer("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
    "PROXY_AUTH_REQUIRED",
    "407",
  ],
  [
    "a proxy that cannot reach the target",
    answer("HTTP/1.1 502 Bad Gateway\r\n\r\n"),
    "PROXY_REFUSED",
    "502",
  ],
  ["a proxy that refuses", answer("HTTP/1.1 403 Forbidden\r\n\r\n"), "PROXY_REFUSED", "403"],
  ["a proxy that closes", ["waitForRequest", "end"], "PROXY_FAILED", "closed the connection"],
  ["a proxy that resets", ["waitForRequest", "reset"], "PROXY_FAILED", "proxy"],
  ["a server that is not a proxy", answer("SSH-2.0-OpenSSH_9.2\r\n"), "PROXY_FAILED", "SSH-2.0"],
];

/** Faults of the proxy, which must be reported as the proxy's and not the target's. */
export const proxyFaults: readonly FaultRow[] = [
  ...tunnelFaults.map(([name, script, code, says]): FaultRow => ({
    name,
    rows: [37],
    reach: { by: "proxy", target },
    script: [script],
    outcome: { code, phase: "connecting", status: 0, sent: 0, says },
    next: null,
  })),
  {
    name: "a proxy that does not answer",
    rows: [37],
    reach: { by: "proxy", target },
    script: [["waitForRequest"]],
    request: { timeout: shortTimeout },
    outcome: { code: "PROXY_TIMEOUT", phase: "connecting", status: 0, sent: 0, says: "proxy" },
    next: null,
  },
  {
    name: "a proxy that is not there",
    rows: [37],
    reach: { by: "closedPort" },
    http: { proxy: "http://127.0.0.1:1" },
    outcome: { code: "PROXY_UNREACHABLE", phase: "connecting", status: 0, sent: 0, says: "127.0.0.1:1" },
    next: null,
  },
];
