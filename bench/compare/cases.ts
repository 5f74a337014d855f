import type { Load } from "./load.ts";
import type { ToolId } from "./tool.ts";

/** Tools side by side under one load. */
export interface LoadCase {
  readonly name: string;
  readonly title: string;
  readonly load: Load;
  /**
   * The tools whose figures decide whether a target is met. If time is short, they get all their rounds
   * first.
   */
  readonly essential: readonly ToolId[];
  readonly others: readonly ToolId[];
}

/** A measurement in the middle of a load. Its name selects it on the command line. */
export interface Case extends LoadCase {
  /** The time until all connections are open and JIT compilers have warmed up. */
  readonly warmupS: number;
}

const scripted = ["bearhug-script", "bearhug-fetch", "bearhug-undici"] as const;
/** undici with bearhug and without, both ways to call it. */
const onUndici = ["dispatch", "bearhug-undici", "fetch", "bearhug-fetch"] as const;

/** 64 connections that request six bytes. */
export const basicLoad: Load = {
  target: "plain",
  path: "/hello",
  assets: [],
  protocol: "http1",
  connections: 64,
  streams: 1,
  isReconnecting: false,
};

const singles: readonly Case[] = [
  {
    name: "plain",
    title: "6 bytes, 64 connections",
    load: basicLoad,
    warmupS: 1.2,
    essential: ["wrk", "bearhug", "bearhug-script", "autocannon", "k6", "sockets", ...onUndici],
    others: ["ab", "oha", "h2load"],
  },
  {
    name: "tls",
    title: "6 bytes, TLS, 64 connections",
    load: { ...basicLoad, target: "tls" },
    warmupS: 1.2,
    essential: ["wrk", "bearhug", "bearhug-script", "k6", "sockets"],
    others: ["ab", "oha", "autocannon", "h2load", ...onUndici],
  },
  ...[
    { connections: 64, streams: 1 },
    { connections: 1, streams: 64 },
    { connections: 4, streams: 16 },
  ].map(({ connections, streams }): Case => {
    const shape = `${connections} × ${streams}`;
    return {
      name: `h2-${connections}x${streams}`,
      title: `6 bytes, HTTP/2, ${shape}`,
      load: { ...basicLoad, target: "h2", protocol: "h2", connections, streams },
      warmupS: 1.2,
      essential: ["h2load", "bearhug-script", "k6", ...(connections === 4 ? onUndici : [])],
      others: connections === 4 ? ["oha"] : ["oha", streams === 1 ? "bearhug" : "dispatch", "bearhug-undici"],
    };
  }),
  {
    name: "memory-small",
    title: "6 bytes, one connection",
    load: { ...basicLoad, connections: 1 },
    warmupS: 0.2,
    essential: ["k6", "sockets", "bearhug", "bearhug-script"],
    others: ["wrk"],
  },
  {
    name: "16k",
    title: "16 KB, 64 connections",
    load: { ...basicLoad, path: "/16k.bin" },
    warmupS: 1.2,
    essential: ["wrk", "bearhug"],
    others: ["ab", "oha", "autocannon", "k6", "h2load", "bearhug-script", "bearhug-fetch", "bearhug-undici"],
  },
  {
    name: "reconnect",
    title: "6 bytes, a new connection for each request, 64 at a time",
    load: { ...basicLoad, isReconnecting: true },
    warmupS: 1.2,
    essential: [],
    others: ["wrk", "ab", "oha", "autocannon", "k6", ...scripted],
  },
  ...[1000, 10_000].map((connections): Case => ({
    name: `connections-${connections}`,
    title: `6 bytes, ${connections.toLocaleString("en")} connections`,
    load: { ...basicLoad, connections },
    warmupS: connections > 1000 ? 4 : 2,
    essential: [],
    others: ["wrk", "ab", "oha", "autocannon", "k6", "bearhug", "bearhug-script"],
  })),
];

/** The sizes in KB of a page and its eleven assets, 24 on average. */
export const pageFiles: Readonly<Record<string, number>> = {
  "index.html": 14,
  "style.css": 22,
  "vendor.js": 84,
  "app.js": 46,
  "logo.svg": 4,
  "hero.jpg": 30,
  "photo-1.jpg": 26,
  "photo-2.jpg": 20,
  "photo-3.jpg": 16,
  "photo-4.jpg": 12,
  "font.woff2": 10,
  "icon.png": 4,
};

const [page = "", ...assets] = Object.keys(pageFiles).map((name) => `/page/${name}`);

const pages: readonly Case[] = [800, 1600, 200].flatMap((vus) =>
  (["plain", "caddy"] as const).map((target): Case => {
    const server = target === "caddy" ? "Caddy" : "nginx";
    return {
      name: `page-${vus}-${server.toLowerCase()}`,
      title: `a page, ${vus.toLocaleString("en")} VUs, ${server}`,
      load: { ...basicLoad, target, path: page, assets, connections: vus },
      warmupS: vus > 800 ? 4 : 3,
      essential: vus === 200 ? [] : ["bearhug-script", "k6"],
      others: vus === 200 ? ["bearhug-script", "k6"] : [],
    };
  }),
);

export const cases: readonly Case[] = [...singles, ...pages];

/** Selects the measurements of a run's first seconds. */
export const firstSecondName = "first-second";

/** The loads whose first seconds are compared with their steady rate. */
export const firstSecondCases: readonly LoadCase[] = [
  {
    name: "plain",
    title: "HTTP/1.1",
    load: basicLoad,
    essential: ["bearhug", "sockets"],
    others: ["k6", "bearhug-script"],
  },
  {
    name: "tls",
    title: "TLS",
    load: { ...basicLoad, target: "tls" },
    essential: ["bearhug", "sockets"],
    others: ["k6", "bearhug-script"],
  },
  {
    name: "h2-64x1",
    title: "HTTP/2, 64 × 1",
    load: { ...basicLoad, target: "h2", protocol: "h2" },
    essential: ["bearhug"],
    others: ["k6", "bearhug-script"],
  },
];

/**
 * The case that measures the time to a tool's first request, with a test of one virtual user and one second.
 */
export const startCase = {
  name: "start",
  title: "first request",
  tools: ["bearhug", "bearhug-script", "k6"],
} as const;
