/** Work for the end of a test file, whose process goes on with others. */
const left: (() => unknown)[] = [];

/** Does some work once the test file has ended that is running. */
export function afterFile(work: () => unknown): void {
  left.push(work);
}

/** Does what was left for the end of the test file. */
export async function endFile(): Promise<void> {
  for (const work of left.splice(0)) await work();
}
