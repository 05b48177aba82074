/** Stands for what the workers of its task queue share, for as long as the queue is used. */
import { condition, defineQuery, setHandler, setWorkflowOptions } from '@temporalio/workflow';
import { followsVersions } from '../version.js';
import type { StoreIds } from './stores.js';

/** Answered by a worker: so whoever asks knows that one is there. */
export const storesQuery = defineQuery<StoreIds>('stores');

/**
 * Never ends by itself: the first worker of a queue starts it, and one that finds no other worker
 * there may put one with its own stores in its place.
 */
export async function queueStores(stores: StoreIds): Promise<void> {
  setHandler(storesQuery, () => stores);
  await condition(() => false);
}

setWorkflowOptions(followsVersions, queueStores);
