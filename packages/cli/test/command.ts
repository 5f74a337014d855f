/** The program that tests start: tools/vitest/command-setup.ts bundles it from the sources. */
export const command: string = readCommand();

function readCommand(): string {
  const path = process.env["COMMAND_UNDER_TEST"];
  if (path === undefined) throw new TypeError("tools/vitest/command-setup.ts has not run");
  return path;
}
