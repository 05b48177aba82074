/** GenRead's documents for a terminal. Pure. */
import pc from 'picocolors';
import type { GeneratedDocument, GenreadChain } from '../../../methods/genread.js';
import { passageList, section, wrap } from './layout.js';

export function genreadChain({ documents, passages, demonstrationSet }: GenreadChain): string[] {
  const set = demonstrationSet === null ? '' : `, by the examples of ${demonstrationSet}`;
  // Several of them are to be compared at a glance; one alone can be read.
  const most = documents.length > 1 ? 3 : 12;
  return [
    ...section(
      `Documents written (${documents.length}${set})`,
      documents.flatMap((document) => [...origin(document), ...wrap(document.text, '    ', most)]),
    ),
    ...passageList('Passages', passages),
  ];
}

function origin({ sample, humanPrompt, cluster }: GeneratedDocument): string[] {
  if (sample !== undefined) return [pc.dim(`  sample ${sample}`)];
  if (humanPrompt !== undefined) return [pc.dim(`  prompt ${humanPrompt}`)];
  return cluster === undefined ? [] : [pc.dim(`  cluster ${cluster + 1}`)];
}
