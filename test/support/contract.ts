/** Contracts of durable-rag/testing as tests of vitest. */
import { test } from 'vitest';
import type { ContractCase } from '../../testing/contract-case.js';

export function holdsTo(contract: readonly ContractCase[]): void {
  for (const { name, run } of contract) test(name, run);
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
