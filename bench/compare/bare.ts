import { fileURLToPath } from "node:url";

import type { Tool } from "./tool.ts";

const common = { command: [process.execPath], versionOptions: ["--version"] } as const;
const bareSocket = fileURLToPath(new URL("../bare-socket.ts", import.meta.url));
const bareFetch = fileURLToPath(new URL("../bare-fetch.ts", import.meta.url));
const bareDispatch = fileURLToPath(new URL("../bare-dispatch.ts", import.meta.url));

const sockets: Tool = {
  ...common,
  id: "sockets",
  title: "bare sockets",
  invoke: ({ url, connections, seconds }) => ({
    options: [bareSocket, url, String(connections), String(seconds)],
  }),
};

const dispatch: Tool = {
  ...common,
  id: "dispatch",
  title: "bare dispatch",
  invoke: ({ url, connections, streams, seconds }) => ({
    options: [bareDispatch, url, String(connections), String(streams), String(seconds)],
  }),
};

const fetch: Tool = {
  ...common,
  id: "fetch",
  title: "bare fetch",
  invoke: ({ url, connections, streams, seconds }) => ({
    options: [bareFetch, url, String(connections), String(streams), String(seconds)],
  }),
};

/**
 * What bearhug is made of, without bearhug: its own HTTP uses sockets, its other transport dispatches, and
 * `http.fetch` is undici's.
 */
export const bareTools: readonly Tool[] = [sockets, dispatch, fetch];
