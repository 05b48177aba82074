/** What `--fail-below` takes. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** The least mean that a metric may have, by its name. */
export type LeastScores = Readonly<Record<string, number>>;

/** "em=0.40" and the like, gathered. */
export function collectLeast(text: string, before: LeastScores = {}): LeastScores {
  const [, metric, share] = /^([^=\s]+)=(\d*\.?\d+)$/.exec(text) ?? [];
  const least = Number(share);
  if (metric === undefined || !(least <= 1)) {
    throw new InvalidArgumentError('It must look like em=0.40: a metric and a mean from 0 to 1.');
  }
  return { ...before, [metric]: least };
}
