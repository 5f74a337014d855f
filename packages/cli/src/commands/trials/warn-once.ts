/** Gives each warning on once: every run of a series would repeat it. */
export function createOnce(warn: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    warn(text);
  };
}
