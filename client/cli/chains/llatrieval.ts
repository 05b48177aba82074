/** LLatrieval's iterations and supporting documents for a terminal. Pure. */
import pc from 'picocolors';
import type {
  Iteration,
  LlatrievalChain,
  SupportingDocument,
  Verification,
} from '../../../methods/llatrieval.js';
import { clip, count, numbered, section, WIDTH, wrap } from './layout.js';

export function llatrievalChain({ iterations, supporting, citations }: LlatrievalChain): string[] {
  const cited = new Set(citations.map(({ passage }) => passage));
  return [
    ...section('Iterations', iterations.flatMap(iterationLines)),
    ...section(
      'Supporting documents',
      supporting.flatMap((document, i) => documentLines(document, i, cited.has(document.id))),
    ),
  ];
}

function iterationLines({ query, found, selections, verification }: Iteration, i: number) {
  const fresh = selections.reduce((sum, { candidates }) => sum + candidates.length, 0);
  const steps = `${found.length} found, ${fresh} new, ${count(selections.length, 'selection')}`;
  return [...numbered(i, query, 2), `     ${steps}: ${verdict(verification)}`];
}

function verdict(verification: Verification | null): string {
  if (verification === null) return 'nothing to verify';
  const { passed, score } = verification;
  const rated = score === undefined ? '' : ` (${score === null ? 'unreadable' : `${score} of 10`})`;
  return `${passed ? pc.green('verified') : pc.yellow('not verified')}${rated}`;
}

function documentLines({ id, title, summary }: SupportingDocument, i: number, cited: boolean) {
  const heading = clip(`[${i + 1}] ${title || id}`, WIDTH - 14);
  return [
    cited ? `  ${heading}` : pc.dim(`  ${heading}, not cited`),
    ...(summary ? wrap(summary, '      ', 3) : []),
  ];
}
