import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeCertificate } from "../../packages/http/test/make-certificate.ts";
import { startNginx } from "../nginx.ts";
import { freePort, makeServerFolder } from "../server-process.ts";
import { readStubStatus } from "./server-counts.ts";
import { fetchStatus, writeSite, type TargetServer } from "./servers.ts";

interface Ports {
  readonly plain: number;
  readonly tls: number;
  readonly h2: number;
  readonly status: number;
}

/** Starts nginx with one process on one core. */
export async function startNginxTarget(launcher: readonly string[]): Promise<TargetServer> {
  const folder = makeServerFolder("nginx");
  const site = join(folder, "site");
  writeSite(site);
  const { key, cert } = makeCertificate("IP:127.0.0.1");
  writeFileSync(join(folder, "key.pem"), key);
  writeFileSync(join(folder, "cert.pem"), cert);
  const [plain, tls, h2, status] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const ports = { plain, tls, h2, status };
  const directives = directivesFor(folder, ports);
  const { pid, stop } = await startNginx({ folder, port: plain, directives, launcher });
  const wrongLog = join(folder, "wrong.log");
  let statusRequests = 0;
  return {
    pid,
    origins: {
      plain: `http://127.0.0.1:${plain}`,
      tls: `https://127.0.0.1:${tls}`,
      h2: `https://127.0.0.1:${h2}`,
    },
    counts: async () => {
      const { requests, openConnections } = readStubStatus(await fetchStatus(`http://127.0.0.1:${status}/`));
      statusRequests++;
      return { requests: requests - statusRequests, openConnections };
    },
    findWrongResponse: () => {
      const [first] = readFileSync(wrongLog, "utf8").split("\n");
      truncateSync(wrongLog);
      return Promise.resolve(first === undefined || first === "" ? null : first);
    },
    stop,
  };
}

/**
 * Returns nginx's directives. Only wrong responses are logged, so that the others cost nothing. A tool that
 * ends aborts some requests (499).
 */
function directivesFor(folder: string, { plain, tls, h2, status }: Ports): string {
  return `
  map $status $is_wrong { default 1; 200 0; 499 0; }
  log_format wrong "$status $server_protocol $request";
  access_log ${folder}/wrong.log wrong if=$is_wrong;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100;
  types { text/html html; text/css css; text/javascript js; image/jpeg jpg; image/svg+xml svg; }
  server {
    listen 127.0.0.1:${plain} backlog=16384;
    listen 127.0.0.1:${tls} ssl backlog=16384;
    listen 127.0.0.1:${h2} ssl http2 backlog=16384;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    location = /hello { return 200 "hello\\n"; }
    location / { root ${folder}/site; }
  }
  server {
    listen 127.0.0.1:${status};
    access_log off;
    location / { stub_status; }
  }`;
}
