import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("a test and its modules read files beside them, in every worker, from whatever folder the test is run", async () => {
  const requested: string[] = [];
  const server = await startServer((request, response) => {
    requested.push(request.url ?? "");
    response.end();
  });
  const folder = join(temporaryFolder(), "load tests");
  mkdirSync(join(folder, "data"), { recursive: true });
  writeFileSync(join(folder, "users.csv"), "ann\nbob\ncem\n");
  writeFileSync(join(folder, "data", "password.txt"), "open-sesame");
  writeFileSync(
    join(folder, "data", "read-password.ts"),
    `import { readFileSync } from "node:fs";
import { join } from "node:path";
export const password: string = readFileSync(join(import.meta.dirname, "password.txt"), "utf8");\n`,
  );
  const file = join(folder, "login.ts");
  writeFileSync(
    file,
    `import { readFileSync } from "node:fs";
import { defineTest } from "@bearhug/sdk";
import { password } from "./data/read-password.ts";

const users = readFileSync(new URL("./users.csv", import.meta.url), "utf8").trim().split("\\n");
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    logins: {
      executor: "per-vu-iterations",
      vus: 3,
      exec: async ({ http, vu }) => {
        await http.get("/" + users[vu.id - 1] + "/" + password);
        throw new Error("after " + import.meta.filename);
      },
    },
  },
});\n`,
  );
  const path = join(folder, "result.json");
  const elsewhere = temporaryFolder();
  const ended = await runBearhug(["run", file, "--workers", "3", "--out", `json=${path}`], elsewhere);
  expect(requested.toSorted(), ended.stderr).toEqual(
    ["/ann", "/bob", "/cem"].map((user) => `${user}/open-sesame`),
  );
  const [thrown] = readResult(path, ended).errors;
  expect(thrown).toMatchObject({
    count: 3,
    message: `Error: after ${file}`,
    source: { file, line: 14, column: 15 },
  });
});
