import { passagesOf } from '../../core/passages-read.js';
import { defineMethod } from '../define-method.js';
import { chainOfNote } from './chain-of-note.js';
import { options } from './options.js';
import { chainOfNoteView } from './view.js';

/** "Chain-of-Note: Enhancing Robustness in Retrieval-Augmented Language Models". */
export const chainOfNoteMethod = defineMethod({
  name: 'chainOfNote',
  title: 'Chain-of-Note: a reading note for each passage, then the answer',
  source: 'Chain-of-Note (Yu et al., 2023), section 3.3, appendix A.3',
  options,
  algorithm: chainOfNote,
  passagesRead: passagesOf,
  view: chainOfNoteView,
  steps: ['takeNotes', 'takeNote', 'answerFromNotes'],
  callsFormula: '1; k + 1 with form per-passage; 1 when no passage was found',
  figures:
    'EM/F1, fine-tuned LLaMa-2 7B + DPR, k=5: NQ 48.9/57.5, TriviaQA 76.3/82.3, WebQ 32.3/46.7; at 100% noise EM average 47.7 (without notes 39.7); RealTimeQA reject rate 13.0 (without notes 6.1)',
});
