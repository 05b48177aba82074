/** The form of contract tests: cases for any test runner. */

/**
 * One test case of a contract, for any test runner.
 *
 * @example for (const { name, run } of keyValueStoreContract({ open })) test(name, run);
 */
export interface ContractCase {
  name: string;
  /** Rejects with an AssertionError of node:assert if the contract is violated. */
  run(): Promise<void>;
}

/**
 * Returns a test case of the given name that opens an instance, checks it, and closes it even if
 * the check fails.
 */
export function caseWith<S extends { close?(): void | Promise<void> }>(
  open: () => Promise<S>,
  name: string,
  check: (opened: S) => Promise<void>,
): ContractCase {
  return {
    name,
    async run() {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.close?.();
      }
    },
  };
}
