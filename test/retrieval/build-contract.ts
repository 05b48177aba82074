/** What a build must do in every search engine: refuse, and leave what is served. */
import { describe, expect, test } from 'vitest';
import type { Retriever } from '../../retrieval/retriever.js';
import type { ContractParts } from './contract.js';
import { animals, idsOf } from './helpers.js';

export interface BuildParts extends Pick<ContractParts, 'open' | 'corpusName'> {
  /** Indexes records, under a name of their own where none is given. */
  index(
    records: readonly unknown[],
    into?: { name: string },
  ): Promise<{ name: string; manifest: object }>;
  opened(name: string): Promise<Retriever>;
}

/** Registers the tests. */
export function buildContract({ open, corpusName, index, opened }: BuildParts): void {
  describe('a build', () => {
    const otters = animals(2_500, 'otter');

    test.each<[string, unknown, RegExp]>([
      ['a bad line', { id: 'x' }, /^corpus\.jsonl line 2501 \(id x\) has no field "text"/],
      ['the same id twice', otters[41], /lines 42 and 2501 have the same id "otter-41"/],
    ])('%s far down leaves the old index served', async (_, line, message) => {
      const { name, manifest } = await index(animals(20, 'heron'));
      await expect(index([...otters, line], { name })).rejects.toMatchObject({
        type: 'BadInput',
        message: expect.stringMatching(message),
      });
      expect(await (await open()).corpora.describe(name)).toEqual(manifest);
      const retriever = await opened(name);
      expect(idsOf(await retriever.search('heron otter', 1))).toEqual(['heron-0']);
    });

    test('of a name that another builds is refused, and told about the other', async () => {
      const name = corpusName();
      const results = await Promise.allSettled([
        index(otters, { name }),
        index(otters, { name }),
        index(otters.slice(0, 10)),
      ]);
      const refused = results.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(refused).toEqual([
        expect.objectContaining({
          name: 'BuildInProgress',
          message: expect.stringContaining(
            `Corpus ${name} is being built by process ${process.pid}`,
          ),
        }),
      ]);
      expect(idsOf(await (await opened(name)).search('otter', 1))).toEqual(['otter-0']);
    });
  });
}
