/** GenRead step 2 for dialogue: a reply by the documents (GenRead 3.1, appendix B.1.3). */

import { type Background, backgroundLabel, passagesOf } from './background.js';
import { defineStep } from './define.js';
import { text } from './outputs/text.js';

export interface ReplyInput extends Background {
  utterance: string;
}

/** Null when the output stayed unreadable. Fifty tokens as in the authors' run; cut, it stands. */
export const reply = defineStep<ReplyInput, string | null>({
  name: 'reply',
  label: backgroundLabel,
  prompt: 'reply',
  maxTokens: 50,
  passages: passagesOf,
  output: text({ form: 'your turn in the conversation', label: 'reply|answer', cut: 'stands' }),
});
