/** The form of all contracts: cases that any test runner runs. */

/**
 * One requirement of an implementation.
 *
 * @example for (const { name, run } of keyValueStoreContract({ open })) test(name, run);
 */
export interface ContractCase {
  name: string;
  /** Rejects with an AssertionError of node:assert if the contract is violated. */
  run(): Promise<void>;
}

/** Returns a case that runs with a freshly opened instance, which is closed afterwards. */
export function caseIn<S extends { close?(): void | Promise<void> }>(
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
