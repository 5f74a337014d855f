/** Explains how to turn a k6 script into a test. */
export const k6Problem =
  'This is a k6 script. Move its options into the scenarios and thresholds of "export default defineTest({ … })" from "@bearhug/sdk", and its default function into the exec of a scenario.';

/** Returns true if k6 provides the module. */
export function isK6Module(name: string): boolean {
  return /^k6(?:\/|$)/.test(name);
}
