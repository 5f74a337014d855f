import { launcher } from "../bench-process.ts";
import { scriptPath, type ToolLoad, type Tool } from "./tool.ts";

const command = [process.execPath, launcher] as const;
const common = { command, versionOptions: ["--version"] } as const;
/** One thread applies the load, as in the other tools. */
const quietly = ["--quiet", "--workers", "1", "--insecure"];

const oneLiner: Tool = {
  ...common,
  id: "bearhug",
  title: "bearhug <url>",
  invoke: ({ url, connections, seconds }) => ({
    options: [url, "-c", String(connections), "-d", `${seconds}s`, ...quietly],
  }),
};

const script: Tool = {
  ...common,
  id: "bearhug-script",
  title: "bearhug, script",
  invoke: (load) => ({
    options: ["run", scriptPath, ...quietly],
    script: bearhugScript(load, "http.get"),
  }),
};

const fetchScript: Tool = {
  ...common,
  id: "bearhug-fetch",
  title: "bearhug, http.fetch",
  invoke: (load) => ({
    options: ["run", scriptPath, ...quietly],
    script: bearhugScript(load, "http.fetch"),
  }),
};

const undici: Tool = {
  ...common,
  id: "bearhug-undici",
  title: "bearhug, undici",
  invoke: (load) => ({
    options: ["run", scriptPath, ...quietly, "--transport", "undici"],
    script: bearhugScript(load, "http.get"),
  }),
};

export const bearhugTools: readonly Tool[] = [oneLiner, script, fetchScript, undici];

/**
 * Returns a script with as many virtual users as requests in flight; a page's assets are requested together.
 */
function bearhugScript(load: ToolLoad, call: "http.get" | "http.fetch"): string {
  const { url, assetUrls, connections, streams, seconds } = load;
  const body = call === "http.fetch" ? "\n        await response.text();" : "";
  const assets = assetUrls.length === 0 ? "" : `\n        await http.batch(${JSON.stringify(assetUrls)});`;
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: ${JSON.stringify(new URL(url).origin)},
  http: ${JSON.stringify(httpOptions(load))},
  scenarios: {
    visitors: {
      executor: "constant-vus", vus: ${connections * streams}, duration: "${seconds}s",
      exec: async ({ http, check }) => {
        const response = await ${call}(${JSON.stringify(url)});${body}
        check(response, { "status is 200": (r) => r.status === 200 });${assets}
      },
    },
  },
});
`;
}

function httpOptions({ connections, streams, isReconnecting }: ToolLoad): Readonly<Record<string, unknown>> {
  if (isReconnecting) return { connections: "perRequest" };
  if (streams === 1) return {};
  return { connections: "shared", maxConnections: connections, maxConcurrentStreams: streams };
}
