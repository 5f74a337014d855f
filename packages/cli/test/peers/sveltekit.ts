import { join } from "node:path";

import type { Application, Place } from "./application.ts";
import { countRows } from "./count-rows.ts";

const databaseOf = ({ data }: Place): string => join(data, "notes.sqlite3");

export const sveltekit: Application = {
  name: "sveltekit",
  tools: ["npm"],
  build: () => [
    ["npm", "install", "--no-audit", "--no-fund"],
    [process.execPath, "node_modules/vite/bin/vite.js", "build"],
  ],
  environment: (place) => ({
    DATABASE: databaseOf(place),
    PORT: String(place.port),
    PROTOCOL_HEADER: "x-forwarded-proto",
  }),
  prepare: () => [],
  serve: () => [process.execPath, "server.js"],
  countNotes: (place) => countRows(databaseOf(place), "notes"),
};
