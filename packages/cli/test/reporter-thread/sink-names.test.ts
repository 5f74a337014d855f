import { expect, test } from "vitest";

import { openReporters } from "../../src/reporter-thread/open-reporters.ts";

test("the name of a sink omits the query of its URL, which may contain a key", async () => {
  const outs = ["otlp=http://127.0.0.1:9/v1/metrics?api-key=s3cret"];
  const opened = await openReporters({ files: [], outs }, () => undefined);
  expect(opened.sinks.map(({ name }) => name)).toEqual(["otlp=http://127.0.0.1:9/v1/metrics"]);
  await opened.close();
});
