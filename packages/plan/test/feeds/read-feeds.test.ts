import { rows, type RowSchema } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { readFeeds } from "../../src/feeds/read-feeds.ts";

test("a problem that a schema finds is of a field, or of the whole row", async () => {
  const schema: RowSchema<unknown> = {
    "~standard": {
      version: 1,
      vendor: "own",
      validate: (row) => ({
        issues:
          row === "bob" ? [{ message: "is no row" }] : [{ message: "is empty", path: ["names", { key: 0 }] }],
      }),
    },
  };
  const { problems } = await readFeeds({ users: rows(["ann", "bob"], { schema }) }, "/");
  expect(problems).toEqual(["feeds.users, row 1: names.0: is empty", "feeds.users, row 2: is no row"]);
});
