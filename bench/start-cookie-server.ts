import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { makeCertificate } from "../packages/http/test/make-certificate.ts";

const file = fileURLToPath(new URL("cookie-server.ts", import.meta.url));

/** The protocol: HTTP/1.1, the same over TLS, or HTTP/2 over TLS. */
export type Protocol = "http1" | "tls" | "http2";

export interface CookieCounts {
  /** Requests without a cookie; the response to each set one. */
  readonly visitors: number;
  /** Requests with a cookie. */
  readonly cookies: number;
  readonly openConnections: number;
}

export interface CookieServer {
  readonly url: string;
  counts(): Promise<CookieCounts>;
  stop(): void;
}

/**
 * Starts the cookie server in a separate process. Its counts come by the channel between the processes, so
 * they need no connection.
 */
export async function startCookieServer(protocol: Protocol): Promise<CookieServer> {
  const { key, cert } = protocol === "http1" ? none : makeCertificate("IP:127.0.0.1");
  const child = fork(file, [protocol], { env: { ...process.env, BENCH_KEY: key, BENCH_CERT: cert } });
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    counts: async () => {
      const reply = once(child, "message");
      child.send("counts");
      return ((await reply) as [CookieCounts])[0];
    },
    stop: () => void child.kill(),
  };
}

const none = { key: "", cert: "" };
