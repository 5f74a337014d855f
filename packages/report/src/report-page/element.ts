type Tag = keyof HTMLElementTagNameMap;

/** An element with its attributes and children. Texts become text nodes: nothing that a report says is markup. */
export function element<Name extends Tag>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
