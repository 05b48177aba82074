import { implementStep } from '../define.js';
import { parseNewPassage } from '../missing-info-query/implementation.js';
import type * as declared from './step.js';

export const hypotheticalPassage = implementStep<typeof declared.hypotheticalPassage>({
  prompt: {
    among: ['hypothetical-passage', 'pseudo-passage'],
    of: ({ passages = [] }) => (passages.length === 0 ? 'hypothetical-passage' : 'pseudo-passage'),
  },
  maxTokens: 256,
  passages: ({ passages = [] }) => passages,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question }) => ({ question }),
  parse: parseNewPassage,
  fallback: () => null,
});
