// node tools/with-workspace.mjs <script>
//
// Runs a script of the workspace on a machine that has only Node and npm: npx provides the right pnpm, which
// installs everything else, including the workspace's own Node. This file and node-version.mjs may only use
// syntax and imports that old Nodes support, because they report that a Node is too old.
import { oldestNode, refuseOldNode } from "./node-version.mjs";

const refusal = refuseOldNode(process.versions.node, process.execPath);
if (refusal) {
  process.stderr.write(refusal + "\n");
  process.exitCode = oldestNode.exitCode;
} else {
  void import("./set-up.mjs").then(({ installAndRun }) => installAndRun(process.argv[2]));
}
