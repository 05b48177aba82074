import { CancellationScope } from '@temporalio/workflow';

/**
 * Runs `run` for every item, at most `size` at a time; each one that ends makes room for the next.
 *
 * What must not stop the rest is caught in `run`. What it throws stops the window: nothing more is
 * begun, what is under way is cancelled and has ended when this rejects. A cancel from outside
 * does the same, so that no child workflow is left behind.
 */
export async function slidingWindow<T>(
  items: readonly T[],
  size: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const scope = new CancellationScope();
  await scope.run(async () => {
    let next = 0;
    async function lane(): Promise<void> {
      while (next < items.length && !scope.consideredCancelled) {
        const item = items[next++] as T;
        await run(item);
      }
    }
    const lanes = Array.from({ length: Math.min(size, items.length) }, lane);
    try {
      await Promise.all(lanes);
    } catch (error) {
      scope.cancel();
      await Promise.allSettled(lanes);
      throw error;
    }
  });
}
