/** Parts that all test files share, made when the first one asks. */
import { inject } from 'vitest';
import type { OnDemand } from './on-demand-setup.js';

/** Returns a part. @throws Error with the reason if it cannot be made. */
export async function onDemand<K extends keyof OnDemand>(name: K): Promise<OnDemand[K]> {
  const response = await fetch(`${inject('onDemand')}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as OnDemand[K];
}
