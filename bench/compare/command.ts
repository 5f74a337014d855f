import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { scriptPath, type Order, type Tool } from "./tool.ts";

/** Returns the command line of a tool for an order. Writes its script, if it has one, into the folder. */
export function commandOf(tool: Tool, order: Order, folder: string): readonly string[] {
  const { options, script } = tool.invoke(order);
  const path = join(folder, `${tool.id}.js`);
  if (script !== undefined) writeFileSync(path, script);
  return [...tool.command, ...options.map((option) => (option === scriptPath ? path : option))];
}
