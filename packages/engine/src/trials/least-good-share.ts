/** A trial of which a smaller share succeeded has failed nearly wholly: its target may be down. */
export const leastGoodShare = 0.05;
