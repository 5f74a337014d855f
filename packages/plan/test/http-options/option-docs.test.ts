import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { httpOptionNames, httpOptions, type HttpOptionName } from "../../src/http-options/option-table.ts";

const root = join(import.meta.dirname, "../../../..");
const page = readFileSync(join(root, "docs/http.md"), "utf8");
const source = readFileSync(join(root, "packages/sdk/src/http-options/http-options.ts"), "utf8");

/** The defaults in the tables of docs/http.md, by the name of the option. */
const rows = new Map(
  [...page.matchAll(/^\| `(\w+)` +\| (?!meaning)([^|]*?) +\|/gm)].map(([, name = "", given = ""]) => [
    name,
    given,
  ]),
);

/** The `@default` of each option's doc comment. */
const documented = new Map(
  ts
    .createSourceFile("http-options.ts", source, ts.ScriptTarget.ES2024, true)
    .statements.filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text === "HttpOptions")
    .flatMap(({ members }) => [...members])
    .map((member) => [
      member.name?.getText() ?? "",
      ts
        .getJSDocTags(member)
        .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
        .join(),
    ]),
);

/** Options whose default is one value, as code writes it. */
const simple = httpOptionNames
  .map((name): [HttpOptionName, unknown] => [name, httpOptions[name].default])
  .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
  .map(([name, value]): [HttpOptionName, string] => [name, JSON.stringify(value)]);

test.for(httpOptionNames.map((name) => [name]))("docs/http.md has a row for %s", ([name = ""]) => {
  expect([...rows.keys()]).toContain(name);
});

describe.for(simple)("the default of %s, %s, is", ([name, value]) => {
  test("in docs/http.md", () => {
    expect(rows.get(name)?.replaceAll("`", "")).toBe(value);
  });

  test("in the doc comment that editors show", () => {
    expect(documented.get(name)?.startsWith(value)).toBe(true);
  });
});
