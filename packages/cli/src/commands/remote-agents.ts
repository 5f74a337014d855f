import { isLoopback } from "../cluster/wire/loopback.ts";

/** The limit of agents for one coordinator. */
export const maxAgents = 10_000;

/**
 * Returns a warning if the target is on loopback, which is another machine for each agent; otherwise null.
 * `host`: where the coordinator listens; null in a cluster, where each agent has a pod of its own.
 */
export function targetWarning(target: string | null, host: string | null): string | null {
  const url = target === null ? null : URL.parse(target);
  if (url === null || !isLoopback(url.hostname) || (host !== null && isLoopback(host))) return null;
  const advice =
    host === null
      ? "each pod would load itself. Give an address that pods can reach with --target, such as http://my-service.my-namespace"
      : "each agent would load its own machine. Give an address that all agents can reach with --target.";
  return `the target is ${url.origin}: ${advice}`;
}
