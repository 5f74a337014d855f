/** What to do with a k6 script: a sentence, for wherever one is recognised. */
export const k6Problem =
  'This is a k6 script. Move its options into the scenarios and thresholds of "export default defineTest({ … })" from "bearhug", and its default function into the exec of a scenario.';

/** Whether a module that could not be found is one that k6 brings along. */
export function isK6Module(name: string): boolean {
  return /^k6(?:\/|$)/.test(name);
}
