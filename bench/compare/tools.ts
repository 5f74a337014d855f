import { bareTools } from "./bare.ts";
import { bearhugTools } from "./bearhug.ts";
import { k6 } from "./k6.ts";
import type { Tool } from "./tool.ts";

const wrk: Tool = {
  id: "wrk",
  title: "wrk",
  command: ["wrk"],
  versionOptions: ["--version"],
  invoke: ({ url, connections, seconds, isReconnecting }) => ({
    options: [
      "-t",
      "1",
      "-c",
      String(connections),
      "-d",
      `${seconds}s`,
      ...(isReconnecting ? ["-H", "Connection: close"] : []),
      url,
    ],
  }),
};

/** More requests than ab makes in the time: with -t alone it would stop after 50,000. */
const manyRequests = "5000000";

const ab: Tool = {
  id: "ab",
  title: "ab",
  command: ["ab"],
  versionOptions: ["-V"],
  invoke: ({ url, connections, seconds, isReconnecting }) => ({
    options: [
      "-q",
      "-r",
      "-t",
      String(seconds),
      "-n",
      manyRequests,
      "-c",
      String(connections),
      ...(isReconnecting ? [] : ["-k"]),
      url,
    ],
  }),
};

const oha: Tool = {
  id: "oha",
  title: "oha",
  command: ["oha"],
  versionOptions: ["--version"],
  invoke: ({ url, connections, streams, seconds, protocol, isReconnecting }) => ({
    options: [
      "--no-tui",
      "--insecure",
      "-z",
      `${seconds}s`,
      "-c",
      String(connections),
      ...(protocol === "h2" ? ["--http2", "-p", String(streams)] : []),
      ...(isReconnecting ? ["--disable-keepalive"] : []),
      url,
    ],
  }),
};

const autocannon: Tool = {
  id: "autocannon",
  title: "autocannon",
  command: ["autocannon"],
  versionOptions: ["--version"],
  invoke: ({ url, connections, seconds, isReconnecting }) => ({
    options: [
      "--json",
      "--no-progress",
      "-c",
      String(connections),
      "-d",
      String(seconds),
      ...(isReconnecting ? ["-D", "1"] : []),
      url,
    ],
  }),
};

const h2load: Tool = {
  id: "h2load",
  title: "h2load",
  command: ["h2load"],
  versionOptions: ["--version"],
  invoke: ({ url, connections, streams, seconds, protocol }) => ({
    options: [
      "-D",
      String(seconds),
      "-c",
      String(connections),
      "-m",
      String(streams),
      ...(protocol === "http1" ? ["--h1"] : []),
      url,
    ],
  }),
};

/** In the order of the tables. */
export const tools: readonly Tool[] = [wrk, ab, oha, h2load, autocannon, k6, ...bareTools, ...bearhugTools];
