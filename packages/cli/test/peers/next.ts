import { join } from "node:path";

import type { Application, Place } from "./application.ts";
import { countRows } from "./count-rows.ts";

const databaseOf = ({ data }: Place): string => join(data, "notes.sqlite3");
const program = "node_modules/next/dist/bin/next";

export const next: Application = {
  name: "next",
  tools: ["npm"],
  build: () => [
    ["npm", "install", "--no-audit", "--no-fund"],
    ["env", "NEXT_TELEMETRY_DISABLED=1", process.execPath, program, "build"],
  ],
  environment: (place) => ({ DATABASE: databaseOf(place), NEXT_TELEMETRY_DISABLED: "1" }),
  prepare: () => [],
  serve: ({ port }) => [
    process.execPath,
    program,
    "start",
    "--hostname",
    "127.0.0.1",
    "--port",
    String(port),
  ],
  countNotes: (place) => countRows(databaseOf(place), "notes"),
};
