/** The story of LLatrieval: its iterations, and the documents that the answer cites. Pure. */
import type {
  Iteration,
  LlatrievalChain,
  Selection,
  Verification,
} from '../../../methods/llatrieval.js';
import type { Block, Card, Chip, Section } from '../page-data.js';
import { cards, chip, passageList, said, section, type Teller, table, titleList } from './parts.js';

export function llatrievalStory(chain: LlatrievalChain, teller: Teller): Section[] {
  const { supporting, iterations, documentsRead, citations, passed } = chain;
  const isCited = new Set(citations.map(({ number }) => number));
  const documents = supporting.flatMap((document, i): Block[] => [
    ...passageList([{ ...document, score: 0 }], teller, () => ({
      number: i + 1,
      chips: isCited.has(i + 1) ? [chip('cited', 'good')] : [],
    })),
    ...said('Selected by', document.summary),
  ]);
  return [
    ...section('Supporting documents', documents, {
      note: passed ? 'verified' : 'not verified',
    }),
    ...section('Iterations', iterationCards(iterations, teller), {
      note: `${iterations.length}, ${documentsRead} documents offered`,
    }),
  ];
}

function iterationCards(iterations: readonly Iteration[], teller: Teller): Block[] {
  const titles = new Map<string, string>();
  const items = iterations.map(({ query, found, selections, verification }, i): Card => {
    for (const { id, title } of found) titles.set(id, title);
    return {
      title: `Iteration ${i + 1}`,
      chips: verificationChips(verification),
      blocks: [
        ...said('Query', query),
        ...selectionTable(selections, titles),
        {
          type: 'fold',
          title: `${found.length} documents found`,
          blocks: titleList(found, teller),
        },
      ],
    };
  });
  return cards(items);
}

function verificationChips(verification: Verification | null): Chip[] {
  if (verification === null) return [chip('nothing to verify', 'warn')];
  const { passed, score } = verification;
  const grade = score === undefined ? [] : [chip(score === null ? 'unreadable' : `${score} of 10`)];
  return [passed ? chip('verified', 'good') : chip('not verified', 'bad'), ...grade];
}

function selectionTable(
  selections: readonly Selection[],
  titles: ReadonlyMap<string, string>,
): Block[] {
  const rows = selections.map(({ candidates, named, supporting }, i) => [
    `${i + 1}`,
    `${candidates.length}`,
    named === null ? 'all taken' : named.join(', ') || 'none',
    supporting.map((id) => titles.get(id) || id).join('; '),
  ]);
  const head = ['Selection', 'New documents', 'Numbers named', 'Supporting documents after it'];
  return table(head, rows);
}
