import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { readNginxVersion, startNginx } from "./nginx.ts";
import { freePort, makeServerFolder } from "./server-process.ts";

/**
 * A server that uses little CPU: it responds with six bytes at once, to any number of requests per
 * connection.
 */
export interface QuickServer {
  readonly url: string;
  /** A name for the output. */
  readonly name: string;
  readonly stop: () => Promise<void>;
}

/** Starts nginx with one process, or if it is not installed, a minimal HTTP/1.1 server on Node's sockets. */
export async function startQuickServer(): Promise<QuickServer> {
  return readNginxVersion() === null ? startRawServer() : startQuickNginx();
}

async function startQuickNginx(): Promise<QuickServer> {
  const port = await freePort();
  const { stop } = await startNginx({
    folder: makeServerFolder("nginx"),
    port,
    directives: `server { listen 127.0.0.1:${port}; location / { return 200 "hello\\n"; } }`,
  });
  return { url: `http://127.0.0.1:${port}`, name: "nginx", stop };
}

async function startRawServer(): Promise<QuickServer> {
  const file = fileURLToPath(new URL("raw-server.ts", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url,
    name: "a server on Node's sockets",
    stop: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
