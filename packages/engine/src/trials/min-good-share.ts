/** Below this share of successes, a trial has failed almost completely: its target may be down. */
export const minGoodShare = 0.05;
