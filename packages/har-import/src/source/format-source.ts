/** Source as prettier has it with the options that it has by itself. It is loaded when it is needed: it is large. */
export async function formatSource(source: string): Promise<string> {
  const [{ format }, typescript, estree] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/typescript"),
    import("prettier/plugins/estree"),
  ]);
  return format(source, { parser: "typescript", plugins: [typescript, estree.default] });
}
