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
    ...(["java", "-XX:TieredStopAtLevel=1", "-jar", "target/notes.jar"] as const),
    ...[`--server.port=${port}`, "--server.address=127.0.0.1"],
  ],
  countNotes: (place) => {
    const told = execFileSync(
      "java",
      [
        ...["-cp", "target/database/h2.jar", "org.h2.tools.Shell", "-user", "sa", "-password", ""],
        ...["-url", `jdbc:h2:file:${databaseOf(place)};AUTO_SERVER=TRUE;IFEXISTS=TRUE`],
        ...["-sql", "SELECT 'rows=' || count(*) FROM note"],
      ],
      { cwd: place.built, encoding: "utf8" },
    );
    return Number(/rows=(\d+)/.exec(told)?.[1]);
  },
};
