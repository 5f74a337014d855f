// Which source files does a request run? A test that lists the files of its first `http.get` and of later
// ones, from the function calls that V8 counts in the worker:
// `node_modules/.bin/node --conditions=bearhug-source packages/cli/src/main.ts run --workers 1
// bench/request-files.ts`
import { once } from "node:events";
import { createServer } from "node:http";
import { Session } from "node:inspector";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import { defineTest } from "bearhug";

const warmCalls = 20;

export default defineTest({
  allowHosts: ["127.0.0.1"],
  // The server runs in another thread than the request.
  setup: async () => {
    const server = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/` };
  },
  scenarios: {
    request: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, data }) => {
        const session = new Session();
        session.connect();
        session.post("Profiler.enable");
        session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
        const filesOf = async (): Promise<string[]> => {
          takeFiles(session);
          await http.get(data.url);
          return takeFiles(session);
        };
        const first = await filesOf();
        let warm = await filesOf();
        for (let call = 0; call < warmCalls; call++) {
          // The worker's timers run during some of these calls.
          const files = await filesOf();
          warm = warm.filter((file) => files.includes(file));
        }
        session.disconnect();
        console.log(`${first.length} files run in the first http.get, ${warm.length} in each later one`);
        for (const file of first.sort()) console.log(`${warm.includes(file) ? "each " : "first"} ${file}`);
      },
    },
  },
});

/** Returns the source files of the functions that were called since the last time. */
function takeFiles(session: Session): string[] {
  const files: string[] = [];
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error !== null) throw error;
    for (const { url, functions } of result) {
      const isCalled = functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      if (isCalled && url.includes("/packages/")) files.push(relative(process.cwd(), fileURLToPath(url)));
    }
  });
  return files;
}
