/** The form of all contracts: cases that any test runner runs. */

/**
 * One thing that an implementation must do.
 *
 * @example for (const { name, run } of keyValueStoreContract({ open })) test(name, run);
 */
export interface ContractCase {
  name: string;
  /** Rejects with an AssertionError of node:assert where the contract is broken. */
  run(): Promise<void>;
}

/** Returns a case of what holds in something that is opened for it, and closed after it. */
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
