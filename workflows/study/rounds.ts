/** Questions of the first round: enough to see that all cells work. */
const FIRST = 20;
/** The longest step, so that no cell is far ahead of another. */
const WIDEST = 500;

/** Gives how many of its questions each run may have asked after each round; without an end. */
export function* roundsOf(): Generator<number> {
  for (let upTo = FIRST; ; upTo += Math.min(Math.ceil(upTo / 2), WIDEST)) yield upTo;
}
