import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { scriptPath, type ToolLoad, type Tool } from "./tool.ts";

/** Returns the command line of a tool for a load. Writes its script, if it has one, into the folder. */
export function commandOf(tool: Tool, load: ToolLoad, folder: string): readonly string[] {
  const { options, script } = tool.invoke(load);
  const path = join(folder, `${tool.id}.js`);
  if (script !== undefined) writeFileSync(path, script);
  return [...tool.command, ...options.map((option) => (option === scriptPath ? path : option))];
}
