import { implementStep } from '../define.js';
import { bareText } from '../reading/plain.js';
import { passagesOf } from '../rendering/background.js';
import type * as declared from './step.js';

export const reply = implementStep<typeof declared.reply>({
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
