/** The oldest Node that can install the workspace, and the exit code for older ones. */
export const oldestNode = { major: 20, exitCode: 104 };

/**
 * Returns a sentence with the required version of Node; undefined if this one is new enough.
 * @param {string} version such as "18.20.4"
 * @param {string} path of that Node
 */
export function refuseOldNode(version, path) {
  if (Number(version.split(".")[0]) >= oldestNode.major) return undefined;
  return `bearhug's workspace needs Node ${oldestNode.major} or newer to set itself up; this is Node ${version} (${path}).`;
}
