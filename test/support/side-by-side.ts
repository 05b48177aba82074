/** Tests of a file that run beside each other: they wait for most of their time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { it, onTestFinished, type TestContext } from 'vitest';

const running = new AsyncLocalStorage<TestContext>();

/** A test beside the others of its file that are declared so. */
export function sideBySide(name: string, test: (context: TestContext) => Promise<void>): void {
  it.concurrent(name, (context) => running.run(context, () => test(context)));
}

/** Does some work once the test that runs has ended, whether or not others run beside it. */
export function afterTest(work: () => unknown): void {
  const after = running.getStore()?.onTestFinished ?? onTestFinished;
  after(async () => {
    await work();
  });
}
