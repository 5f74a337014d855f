import { describe, expect, test } from "vitest";

import { planIgnoredFiles } from "../../src/project/ignored-files.ts";
import { projectOf } from "./project-of.ts";

const whole = "node_modules/\nload-result/\n/report.html\n/result.json\n/junit.xml\n.env\n";
const plan = (...project: Parameters<typeof projectOf>) => planIgnoredFiles(projectOf(...project));

test("a project without a .gitignore gets one", () => {
  expect(plan({})).toEqual([{ kind: "new", path: ".gitignore", text: whole }]);
});

describe("an existing .gitignore", () => {
  test("keeps its lines and gets the missing ones, whatever its last line and line endings", () => {
    const existing = "# ours\r\n/node_modules\r\n!.env\r\n.env*\r\n/dist";
    const added = "load-result/, /report.html, /result.json, /junit.xml";
    const text = `${existing}\r\n${added.replaceAll(", ", "\r\n")}\r\n`;
    expect(plan({ ".gitignore": existing })).toEqual([{ kind: "changed", path: ".gitignore", text, added }]);
  });

  test.for([whole, "*\n", `${whole.replaceAll("/", "")}\n`, whole.replaceAll(/^\/?/gm, "**/")])(
    "stays unchanged if it covers all of them: %j",
    (existing) => {
      expect(plan({ ".gitignore": existing })).toMatchObject([{ kind: "kept" }]);
    },
  );

  test("does not cover a file with a path in another folder or with a longer name", () => {
    const [planned] = plan({ ".gitignore": whole.replace(".env", "config/.env\n.env.local\nxenv") });
    expect(planned).toMatchObject({ kind: "changed", added: ".env" });
  });
});

test("a project within a repository inherits patterns for every folder, but not those for the root alone", () => {
  const files = { ".gitignore": "node_modules\n.env\n/report.html\n" };
  expect(plan(files, { prefix: "apps/shop/" })).toEqual([
    {
      kind: "new",
      path: "apps/shop/.gitignore",
      text: "load-result/\n/report.html\n/result.json\n/junit.xml\n",
    },
  ]);
});
