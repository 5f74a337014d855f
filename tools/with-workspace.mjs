// node tools/with-workspace.mjs <script>
//
// Runs one of the workspace's scripts on a machine that has Node and npm alone: the right pnpm comes through
// npx, and pnpm installs everything else, the workspace's own Node included. Only syntax and imports that old
// Nodes understand may stand in this file and in node-version.mjs: they are what says that a Node is too old.
import { oldestNode, refuseOldNode } from "./node-version.mjs";

const refusal = refuseOldNode(process.versions.node, process.execPath);
if (refusal) {
  process.stderr.write(refusal + "\n");
  process.exitCode = oldestNode.exitCode;
} else {
  void import("./set-up.mjs").then(({ installAndRun }) => installAndRun(process.argv[2]));
}
