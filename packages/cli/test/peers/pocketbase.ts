import { join } from "node:path";

import type { Application } from "./application.ts";
import { countRows } from "./count-rows.ts";

const program = "github.com/pocketbase/pocketbase/examples/base@v0.36.8";

export const pocketbase: Application = {
  name: "pocketbase",
  tools: ["go"],
  build: (folder) => [["env", `GOBIN=${join(folder, "bin")}`, "CGO_ENABLED=0", "go", "install", program]],
  environment: () => ({}),
  prepare: () => [],
  serve: ({ built, data, port }) => [
    join(built, "bin/base"),
    "serve",
    `--http=127.0.0.1:${port}`,
    `--dir=${data}`,
    `--publicDir=${join(built, "pb_public")}`,
    `--migrationsDir=${join(built, "pb_migrations")}`,
    "--automigrate=false",
  ],
  countNotes: ({ data }) => countRows(join(data, "data.db"), "notes"),
};
