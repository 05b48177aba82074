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
