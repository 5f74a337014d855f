import { scriptPath, type ToolLoad, type Tool } from "./tool.ts";

export const k6: Tool = {
  id: "k6",
  title: "k6",
  command: ["k6"],
  versionOptions: ["version"],
  invoke: (load) => ({
    options: ["run", "--quiet", "--no-color", "--no-usage-report", scriptPath],
    script: k6Script(load),
  }),
};

/**
 * Returns k6's script. Each virtual user of k6 has its own connections; its streams are the requests of a
 * batch.
 */
function k6Script({ url, assetUrls, connections, streams, seconds, isReconnecting }: ToolLoad): string {
  const options = {
    vus: connections,
    duration: `${seconds}s`,
    insecureSkipTLSVerify: true,
    noConnectionReuse: isReconnecting,
    ...(streams > 1 ? { batch: streams, batchPerHost: streams } : {}),
  };
  const together = streams > 1 ? Array.from({ length: streams }, () => url) : assetUrls;
  const first = `  const response = http.get(${JSON.stringify(url)});
  check(response, { "status is 200": (r) => r.status === 200 });
`;
  const rest = `  const responses = http.batch(together);
  check(responses[0], { "status is 200": (r) => r.status === 200 });
`;
  return `import http from "k6/http";
import { check } from "k6";
export const options = ${JSON.stringify(options)};
const together = ${JSON.stringify(together)};
export default function () {
${streams > 1 ? "" : first}${together.length > 0 ? rest : ""}}
`;
}
