import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");

test("docs/kubernetes.md shows the Dockerfile as it is", () => {
  const page = readFileSync(join(root, "docs/kubernetes.md"), "utf8");
  expect(page).toContain(`\`\`\`dockerfile\n${dockerfile}\`\`\`\n`);
});

test("the image has a Node that bearhug supports, and a numeric user, which Kubernetes can tell from root", () => {
  const { engines } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  const [, major] = /^FROM node:(\d+)-/m.exec(dockerfile) ?? [];
  const [, least] = /^>=(\d+)/.exec(engines.node) ?? [];
  expect(Number(major)).toBeGreaterThan(Number(least));
  expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
});
