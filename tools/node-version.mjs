/** The oldest Node that can install the workspace, and how its absence is told to the shell. */
export const oldestNode = { major: 20, exitCode: 104 };

/**
 * One sentence that says which Node is needed, or undefined where this one will do.
 * @param {string} version such as "18.20.4"
 * @param {string} path where that Node is
 */
export function refuseOldNode(version, path) {
  if (Number(version.split(".")[0]) >= oldestNode.major) return undefined;
  return `bearhug's workspace needs Node ${oldestNode.major} or newer to set itself up; this is Node ${version} (${path}).`;
}
