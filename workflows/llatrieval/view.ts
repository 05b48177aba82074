/** LLatrieval: the documents that the answer cites, and the iterations that found them. Pure. */

import type { Block, Chip, Section } from '../../core/section.js';
import {
  cards,
  chip,
  count,
  passages,
  section,
  table,
  text,
  titles,
  titlesOf,
} from '../../report/views/parts.js';
import type { Iteration, LlatrievalChain, Selection, Verification } from './options.js';

export function llatrievalView(chain: LlatrievalChain): Section[] {
  const { supporting, iterations, documentsRead, citations, passed } = chain;
  const cited = new Set(citations.map(({ number }) => number));
  const summaries = new Map(supporting.map(({ id, summary }) => [id, summary]));
  const documents = passages(supporting, ({ id }, i) => ({
    number: i + 1,
    cited: cited.has(i + 1),
    blocks: text(summaries.get(id), 'Selected by'),
  }));
  return [
    ...section('Supporting documents', documents, { note: passed ? 'verified' : 'not verified' }),
    ...section('Iterations', iterationCards(iterations), {
      note: `${iterations.length}, ${count(documentsRead, 'document')} offered`,
    }),
  ];
}

function iterationCards(iterations: readonly Iteration[]): Block[] {
  const titleOf = titlesOf(iterations.flatMap(({ found }) => found));
  return cards(
    iterations.map(({ query, found, selections, verification }, i) => {
      const fresh = selections.reduce((sum, { candidates }) => sum + candidates.length, 0);
      return {
        title: `Iteration ${i + 1}`,
        chips: [
          chip(`${found.length} found`),
          chip(`${fresh} new`),
          chip(count(selections.length, 'selection')),
          ...verificationChips(verification),
        ],
        blocks: [
          ...text(query, 'Query'),
          ...selectionTable(selections, titleOf),
          {
            type: 'fold',
            title: `${count(found.length, 'document')} found`,
            blocks: titles(found),
          },
        ],
      };
    }),
  );
}

function verificationChips(verification: Verification | null): Chip[] {
  if (verification === null) return [chip('nothing to verify', 'warn')];
  const { passed, score } = verification;
  const rated = score === undefined ? '' : ` (${score === null ? 'unreadable' : `${score} of 10`})`;
  return [passed ? chip(`verified${rated}`, 'good') : chip(`not verified${rated}`, 'bad')];
}

function selectionTable(
  selections: readonly Selection[],
  titleOf: (id: string) => string,
): Block[] {
  const rows = selections.map(({ candidates, named, supporting }, i) => [
    `${i + 1}`,
    `${candidates.length}`,
    named === null ? 'all taken' : named.join(', ') || 'none',
    supporting.map(titleOf).join('; '),
  ]);
  const head = ['Selection', 'New documents', 'Numbers named', 'Supporting documents after it'];
  return table(head, rows);
}
