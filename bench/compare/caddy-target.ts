import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { freePort, makeServerFolder, startServerProcess } from "../server-process.ts";
import { readCaddyMetrics } from "./server-counts.ts";
import { fetchStatus, writeSite, type TargetServer } from "./servers.ts";

/** Starts Caddy as a file server on one core. It counts requests in its metrics. */
export async function startCaddyTarget(launcher: readonly string[]): Promise<TargetServer> {
  const folder = makeServerFolder("caddy");
  const site = join(folder, "site");
  writeSite(site);
  const [port, admin] = [await freePort(), await freePort()];
  const config = join(folder, "Caddyfile");
  writeFileSync(config, caddyfile(site, port, admin));
  const command = [...launcher, "caddy", "run", "--config", config, "--adapter", "caddyfile"];
  const { pid, stop } = await startServerProcess(command, folder, port);
  const metrics = async (): Promise<ReadonlyMap<string, number>> =>
    readCaddyMetrics(await fetchStatus(`http://127.0.0.1:${admin}/metrics`));
  let wrongBefore = 0;
  return {
    pid,
    origins: { caddy: `http://127.0.0.1:${port}` },
    counts: async () => ({ requests: sum((await metrics()).values()), openConnections: null }),
    findWrongResponse: async () => {
      const wrong = [...(await metrics())].filter(([status]) => status !== "200");
      const count = sum(wrong.map(([, responses]) => responses));
      const isNew = count > wrongBefore;
      wrongBefore = count;
      return isNew ? wrong.map(([status, responses]) => `${responses} × ${status}`).join(", ") : null;
    },
    stop,
  };
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

function caddyfile(site: string, port: number, admin: number): string {
  return `{
  admin 127.0.0.1:${admin}
  auto_https off
  persist_config off
  metrics
  log {
    level ERROR
  }
}
http://127.0.0.1:${port} {
  root * ${site}
  file_server
}
`;
}
