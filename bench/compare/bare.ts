import { fileURLToPath } from "node:url";

import type { Tool, ToolId, ToolLoad } from "./tool.ts";

const bare = (id: ToolId, file: string, given: (load: ToolLoad) => readonly (string | number)[]): Tool => ({
  id,
  title: `bare ${id}`,
  command: [process.execPath],
  versionOptions: ["--version"],
  invoke: (load) => ({
    options: [fileURLToPath(new URL(`../${file}`, import.meta.url)), ...given(load).map(String)],
  }),
});

const onUndici = (way: "dispatch" | "fetch"): Tool =>
  bare(way, "bare-undici.ts", ({ url, connections, streams, seconds }) => [
    way,
    url,
    connections,
    streams,
    seconds,
  ]);

/**
 * What bearhug is made of, without bearhug: its own HTTP uses sockets, its other transport dispatches, and
 * `http.fetch` is undici's.
 */
export const bareTools: readonly Tool[] = [
  bare("sockets", "bare-socket.ts", ({ url, connections, seconds }) => [url, connections, seconds]),
  onUndici("dispatch"),
  onUndici("fetch"),
];
