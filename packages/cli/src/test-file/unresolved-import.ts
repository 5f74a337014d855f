/** How to mend an import that leads nowhere: the end of a sentence about it. */
export function explainUnresolved(name: string, notes: readonly string[]): string {
  if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(name)) return "there is no such file.";
  const unexported = notes.find((note) => note.includes("not exported by package"));
  if (unexported !== undefined) return `${unexported.replace(/:$/, "")}.`;
  if (name.startsWith("#")) return 'add it to "imports" in package.json.';
  if (/^(?:bun|deno|jsr):/.test(name)) return "Node has no such module.";
  if (/^(?:https?|data|npm):/.test(name)) return "install the package, and import it by name.";
  const [scope = "", rest] = name.split("/");
  const isPackage = /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/i;
  const packageName = scope.startsWith("@") && rest !== undefined ? `${scope}/${rest}` : scope;
  const install = isPackage.test(packageName) ? `Run "npm install ${packageName}", or check` : "Check";
  return `there is no such package. ${install} "paths" in tsconfig.json.`;
}
