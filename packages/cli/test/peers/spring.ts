import { execFileSync } from "node:child_process";
import { join } from "node:path";

import type { Application, Place } from "./application.ts";

const databaseOf = ({ data }: Place): string => join(data, "notes");

export const spring: Application = {
  name: "spring",
  tools: ["java", "mvn"],
  build: () => [["mvn", "--quiet", "--batch-mode", "package"]],
  environment: (place) => ({ DATABASE: databaseOf(place) }),
  prepare: () => [],
  serve: ({ port }) => [
    "java",
    "-XX:TieredStopAtLevel=1",
    "-jar",
    "target/notes.jar",
    `--server.port=${port}`,
    "--server.address=127.0.0.1",
  ],
  countNotes: (place) => {
    const shell = ["-cp", "target/database/h2.jar", "org.h2.tools.Shell", "-user", "sa", "-password", ""];
    const url = `jdbc:h2:file:${databaseOf(place)};AUTO_SERVER=TRUE;IFEXISTS=TRUE`;
    const query = "SELECT 'rows=' || count(*) FROM note";
    const printed = execFileSync("java", [...shell, "-url", url, "-sql", query], {
      cwd: place.built,
      encoding: "utf8",
    });
    return Number(/rows=(\d+)/.exec(printed)?.[1]);
  },
};
