/** Where more than one is the longest: which of the two lists is gone back in first. */
export type OnTie = 'reference' | 'prediction';

/** The positions in the reference of one of the longest subsequences that both have, ascending. */
export function commonPositions(
  reference: readonly string[],
  prediction: readonly string[],
  onTie: OnTie,
): number[] {
  const width = prediction.length + 1;
  const lengths = new Uint32Array((reference.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (const [i, word] of reference.entries()) {
    for (const [j, other] of prediction.entries()) {
      lengths[(i + 1) * width + j + 1] =
        word === other ? at(i, j) + 1 : Math.max(at(i, j + 1), at(i + 1, j));
    }
  }
  const positions: number[] = [];
  for (let [i, j] = [reference.length, prediction.length]; i > 0 && j > 0; ) {
    const [back, aside] = [at(i - 1, j), at(i, j - 1)];
    if (reference[i - 1] === prediction[j - 1]) {
      positions.push(--i);
      j--;
    } else if (back > aside || (back === aside && onTie === 'reference')) i--;
    else j--;
  }
  return positions.reverse();
}
