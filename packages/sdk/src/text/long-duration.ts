/** A time of a minute or more, in whole seconds: 1 m 30 s, 2 h 5 m 0 s. */
export function describeLongDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours > 0 ? `${hours} h ` : ""}${minutes} m ${seconds % 60} s`;
}
