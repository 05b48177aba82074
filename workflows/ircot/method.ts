import { passagesOf } from '../../core/passages-read.js';
import { defineMethod } from '../define-method.js';
import { ircot } from './ircot.js';
import { options } from './options.js';
import { ircotView } from './view.js';

/** "Interleaving Retrieval with Chain-of-Thought Reasoning for Knowledge-Intensive Multi-Step Questions". */
export const ircotMethod = defineMethod({
  name: 'ircot',
  title: 'IRCoT: retrieval and chain of thought by turns, then read what was gathered',
  source: 'IRCoT (Trivedi et al., ACL 2023)',
  options,
  algorithm: ircot,
  // Searches with few new passages make many thoughts, others make long prompts.
  bound: (chosen) => ({
    ...chosen,
    maxPassages:
      chosen.passages < chosen.maxPassages
        ? chosen.passages * (chosen.maxThoughts + 1)
        : chosen.maxPassages,
  }),
  passagesRead: passagesOf,
  view: ircotView,
  steps: ['nextThought', 'reason', 'read'],
  callsFormula: 'at most T + 1; searches: at most T + 1',
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',
});
