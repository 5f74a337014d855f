/**
 * The address on the site of a file of the repository (`docs/cli.md`, `examples/first-test.ts`), without the base path; null for files
 * that are not on the site.
 */
export function siteAddress(file: string): string | null {
  if (file === "README.md") return "/";
  if (file === "packages/cli/CHANGELOG.md") return "/changelog";
  if (file === "bench/README.md") return "/bench";
  const [, page] = /^docs\/(.+)\.md$/.exec(file) ?? [];
  if (page !== undefined) return `/${page.replace(/(^|\/)index$/, "$1")}`;
  if (file === "examples/README.md" || file === "examples/") return "/examples/";
  const [, example] = /^examples\/(.+\.\w+)$/.exec(file) ?? [];
  return example === undefined ? null : `/examples/${exampleSlug(example)}`;
}

/** The last part of an example's address: without dots, which would look like the extension of an asset. */
export function exampleSlug(file: string): string {
  return file.replaceAll(/[/.]/g, "-");
}
