export interface Counters {
  /**
   * Adds to a count, in one step for all who add, and gives the new total.
   *
   * @param amount A whole number; a negative one takes away.
   * @param seconds How long a count that was not there is kept.
   */
  add(key: string, amount: number, seconds: number): Promise<number>;
  close(): Promise<void>;
}
