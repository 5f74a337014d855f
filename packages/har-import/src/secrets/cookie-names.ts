/** Letters of both cases with digits in between, and nothing to join them: only BIG-IP calls a cookie so for everybody. */
const madeUp = /^(?!TS01)(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])(?=\D*\d+[A-Za-z])[A-Za-z\d]{8,}$/;

/** Whether a cookie's name tells one visitor from others, as a token does. */
export function isMadeUpCookieName(name: string): boolean {
  return madeUp.test(name);
}
