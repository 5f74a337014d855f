/** Returns a function that forwards each warning only once: every run of a series would repeat it. */
export function createWarnOnce(warn: (text: string) => void): (text: string) => void {
  const warned = new Set<string>();
  return (text) => {
    if (warned.has(text)) return;
    warned.add(text);
    warn(text);
  };
}
