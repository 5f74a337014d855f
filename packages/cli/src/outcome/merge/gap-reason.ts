/** The words with which the sentence about a missing part begins. Any other begins with the name of a file. */
const openings = ["Shard ", "Shards ", "Some ", "Several ", "The "];

/** A sentence about a missing part as a reason for the verdict, which begins in the middle of a line. */
export function gapReason(sentence: string): string {
  const reason = sentence.replace(/\.$/, "");
  const isWord = openings.some((opening) => reason.startsWith(opening));
  return isWord ? reason.charAt(0).toLowerCase() + reason.slice(1) : reason;
}
