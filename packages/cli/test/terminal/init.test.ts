import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { command } from "../command.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { hasPython, startInTerminal } from "./terminal-run.ts";

const size = { columns: 100, rows: 40, environment: { PATH: process.env["PATH"] ?? "", TERM: "xterm" } };

describe.skipIf(!hasPython)("bearhug init in a terminal", () => {
  test("asks for the page, shows the files, and writes them after a confirmation", async () => {
    const folder = temporaryFolder();
    const init = startInTerminal([process.execPath, command, "init", "--directory", folder], size);
    await init.showing(/The page to load \[http:\/\/127\.0\.0\.1:8080\/\]:/);
    init.type("localhost:3000/shop\r");
    await init.showing(/new +load\/first\.load\.ts[^]*Write these files\? \[Y\/n\]/);
    expect(readdirSync(folder)).toEqual([]);
    init.type("\r");
    expect(await init.ended).toEqual({ exitCode: 0 });
    expect(readFileSync(join(folder, "load/first.load.ts"), "utf8")).toContain('http.get("/shop")');
  });

  test.for([
    ["no", "n\r"],
    ["Ctrl-D", "\u0004"],
  ])("writes nothing when the answer is %s", async ([, answer = ""]) => {
    const folder = temporaryFolder();
    const init = startInTerminal([process.execPath, command, "init", "x.test", "--directory", folder], size);
    await init.showing(/Write these files\?/);
    init.type(answer);
    expect(await init.ended).toEqual({ exitCode: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });
});
