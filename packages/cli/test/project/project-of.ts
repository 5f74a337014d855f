import type { Project } from "../../src/project/project.ts";

/** Returns a project with these files. */
export function projectOf(files: Readonly<Record<string, string>>, changes: Partial<Project> = {}): Project {
  return {
    root: "/projects/shop",
    prefix: "",
    name: "shop",
    packageManager: "npm",
    read: (path) => files[path] ?? null,
    ...changes,
  };
}
