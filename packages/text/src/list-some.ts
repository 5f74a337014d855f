/** Lists the first of some names, and says how many there are besides: "a, b and 3 more". */
export function listSome(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
