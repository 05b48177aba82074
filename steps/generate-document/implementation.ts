import type { QuestionDocument } from '../../methods/demonstration-sets.js';
import type { Task } from '../../methods/task.js';
import { implementStep } from '../define.js';
import { bareText } from '../reading/plain.js';
import { withoutPreamble } from '../reading/preamble.js';
import { isRefusal, isRemark } from '../reading/refusal.js';
import { takenApart } from '../reading/text.js';
import type * as declared from './step.js';
import { HUMAN_PROMPTS } from './step.js';

export const generateDocument = implementStep<typeof declared.generateDocument>({
  prompt: { among: prompts(), of: promptFor },
  maxTokens: 300,
  // Nucleus sampling by itself: the paper names p and no temperature (GenRead 3.2, footnote 1).
  sampling: ({ sample }) =>
    sample === undefined ? { temperature: 0 } : { temperature: 1, topP: 0.95 },
  sample: ({ sample = 0 }) => sample,
  variables: ({ query }) => ({ query }),
  async kept({ demonstrations, task }, { demonstrationSets }): Promise<Record<string, string>> {
    if (!demonstrations) return {};
    const pairs = await demonstrationSets.pairs(demonstrations.set, demonstrations.cluster);
    return { demonstrations: renderPairs(pairs, task) };
  },
  parse: ({ text }) => parseDocument(text),
  fallback: () => '',
});

function prompts(): string[] {
  const human = Array.from({ length: HUMAN_PROMPTS - 1 }, (_, i) => `generate-document-${i + 2}`);
  const names = ['generate-document', 'generate-document-for-claim'];
  const byExample = names.map((name) => `${name}-by-example`);
  return [...names, ...byExample, ...human, 'generate-short-document'];
}

function promptFor({
  task,
  humanPrompt = 1,
  demonstrations,
  short,
}: declared.GenerateDocumentInput): string {
  if (short) return 'generate-short-document';
  const name = task === 'factChecking' ? 'generate-document-for-claim' : 'generate-document';
  if (demonstrations) return `${name}-by-example`;
  return humanPrompt === 1 ? name : `${name}-${humanPrompt}`;
}

/** Question-document pairs between tags that none of them can close. */
export function renderPairs(pairs: readonly QuestionDocument[], task?: Task): string {
  const label = task === 'factChecking' ? 'Statement' : 'Question';
  return pairs
    .map(({ question, document }, i) => {
      const pair = takenApart(`${label}: ${question}\nDocument: ${document}`, 'example');
      return `<example number="${i + 1}">\n${pair}\n</example>`;
    })
    .join('\n');
}

/** The document on one line, without a heading; undefined when it says nothing, or is a refusal. */
export function parseDocument(text: string): string | undefined {
  const document = withoutPreamble(bareText(text))
    .replace(/\n+/g, ' ')
    .replace(/^(?:background )?document ?: ?/i, '')
    .trim();
  const says = /[\p{L}\p{N}]/u.test(document) && !isRefusal(document);
  return says && !isRemark(document) ? document : undefined;
}
