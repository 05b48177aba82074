/** GenRead step 2 for dialogue: a reply by the documents (GenRead 3.1, appendix B.1.3). */
import { declareStep } from '../define.js';
import { type Background, backgroundLabel } from '../rendering/background.js';

export interface ReplyInput extends Background {
  utterance: string;
}

/** Null when the output stayed unreadable. Fifty tokens as in the authors' run; cut, it stands. */
export const reply = declareStep<ReplyInput, string | null>(backgroundLabel);
