/** What a judge found about an answer: its statements, and the claims it should make. Pure. */
import type { Judgement } from '../../../results/run-store.js';
import { section, table } from '../../../views/parts.js';
import type { Section } from '../../../views/section.js';
import { count, dollars } from '../../runs/numbers.js';

export function judgementSections({ verdicts, usage }: Judgement): Section[] {
  const statements = (verdicts?.statements ?? []).map(({ claim, cited, supported, needed }) => [
    claim,
    supported ? 'supported' : 'not supported',
    cited.map((at, i) => `[${at + 1}]${needed[i] ? '' : ' not needed'}`).join(', ') || 'nothing',
  ]);
  const claims = (verdicts?.claims ?? []).map(({ claim, entailed }) => [
    claim,
    entailed ? 'in the answer' : 'missing',
  ]);
  const blocks = [
    ...table(['Statement', 'By what it cites', 'Cites'], statements),
    ...table(['Claim', 'Found'], claims),
  ];
  const note = `${count(usage.calls)} calls, ${dollars(usage.costUsd)}`;
  return section('What the judge found', blocks, { note });
}
