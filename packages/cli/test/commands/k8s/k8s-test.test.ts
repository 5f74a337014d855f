import { Command } from "commander";
import { afterEach, expect, test, vi } from "vitest";

import { testInImage } from "../../../src/commands/k8s/k8s-test.ts";
import { addLoadOptions, addPlanOptions } from "../../../src/commands/load-options.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("an optional variable of the environment goes into the Secret, where a line of --env-from is empty", () => {
  vi.stubEnv("PHOTO", "cat.jpg");
  const declaration = { default: null, optional: true, secret: false, description: null };
  const { variables } = testInImage(
    "/t.ts",
    { env: { PHOTO: { type: "string", ...declaration } } },
    { env: {}, envFile: { PHOTO: "" } },
    addLoadOptions(addPlanOptions(new Command())),
  );
  expect(variables).toEqual({ PHOTO: "cat.jpg" });
});

test("options with credentials go into the Secret, not into the arguments that manifests show", () => {
  vi.stubEnv("BEARHUG_MONITOR_TOKEN", "s3cret-of-monitors");
  const monitors = ["web=http://reader:hunter2@10.0.0.5", "http://10.0.0.6"];
  const command = addLoadOptions(addPlanOptions(new Command()));
  command.parse(
    [
      "--rate",
      "300",
      "--insecure",
      "--proxy",
      "http://me:hunter3@proxy:3128",
      ...monitors.flatMap((monitor) => ["--monitor", monitor]),
    ],
    { from: "user" },
  );
  const { inCluster, variables } = testInImage("/t.ts", { env: {} }, { env: {}, envFile: {} }, command);
  expect(inCluster).toMatchObject({
    options: ["--rate", "300", "--insecure"],
    variables: ["BEARHUG_PROXY", "BEARHUG_MONITOR", "BEARHUG_MONITOR_TOKEN"],
  });
  expect(variables).toEqual({
    BEARHUG_PROXY: "http://me:hunter3@proxy:3128",
    BEARHUG_MONITOR: monitors.join("\n"),
    BEARHUG_MONITOR_TOKEN: "s3cret-of-monitors",
  });
});
