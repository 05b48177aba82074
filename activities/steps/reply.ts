/** GenRead step 2 for dialogue: a reply by the documents (GenRead 3.1, appendix B.1.3). */

import { bareText } from '../reading/plain.js';
import { type Background, passagesOf } from './background.js';
import { defineStep } from './step.js';

export interface ReplyInput extends Background {
  utterance: string;
}

/** Null when the output stayed unreadable. Fifty tokens as in the authors' run; cut, it stands. */
export const reply = defineStep<ReplyInput, string | null>({
  prompt: 'reply',
  maxTokens: 50,
  passages: passagesOf,
  variables: ({ utterance }) => ({ utterance }),
  parse: ({ text }) => parseReply(text),
  fallback: () => null,
});

/** The reply on one line, without a label and the quotes around it; undefined when it is empty. */
export function parseReply(text: string): string | undefined {
  const line = bareText(text)
    .replace(/\n+/g, ' ')
    .replace(/^(?:(?:my |the )?reply|response|answer|assistant|speaker \w{1,20}|bot) ?: ?/i, '');
  const said = bareText(line);
  return /[\p{L}\p{N}]/u.test(said) ? said : undefined;
}
