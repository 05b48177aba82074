/** The questions whose histories are recorded, each with what its model says. */
import { Failure } from '../../methods/failure.js';
import type { MethodName, OptionsOf } from '../../methods/registry.js';
import type { Outcome } from '../../methods/result.js';
import type { Line, ScriptedStep } from './scripted-model.js';
import { telephoneScript } from './telephone.js';

export interface Recording {
  method: MethodName;
  options: object;
  script: Line[];
  /** How it ends, so that none is recorded that went wrong. */
  outcome: Outcome;
}

/** By the name of the file. */
export const recordings: Record<string, Recording> = {
  sure: answered('sure', {}, telephoneScript()),
  'sure-one-candidate': answered('sure', {}, says('generateCandidates', '(a) Bell')),
  'sure-asked-again': answered('sure', {}, [
    ...says('generateCandidates', '...'),
    { step: 'validate', when: /Prediction: Gray/, say: 'Perhaps' },
    ...telephoneScript(),
  ]),
  'sure-failed': {
    method: 'sure',
    options: {},
    script: [
      ...says('generateCandidates', '(a) Bell, (b) Gray'),
      { step: 'summarize', when: /Prediction: \(a\)/, say: 'Bell was granted it. [DONE]' },
      { step: 'summarize', when: /Prediction: \(b\)/, say: new Failure('ContentRefused', 'No.') },
      ...says('validate', 'True'),
    ],
    outcome: 'failed',
  },

  // Two seeds, a sub-query to each of them, one more to the better of the two.
  allies: answered('allies', { subQueries: 1, depth: 2, beamSize: 1 }, [
    ...says('answerWithEvidence', 'Gray', 'Bell', 'Bell', 'Bell', 'Bell'),
    ...says('scoreAnswer', '0.2', '0.4', '0.5', '0.6', '0.9'),
    ...says('askSubQueries', '1. Who filed first?', '1. Who filed a caveat?', '1. When was it?'),
    ...says('condenseEvidence', 'One.', 'Two.', 'Three.', 'Four.'),
  ]),
  'allies-generated': answered('allies', { subQueries: 2, depth: 1, evidence: 'generated' }, [
    ...says('answerWithEvidence', 'Gray', 'Bell', 'Bell', 'Bell', 'Bell', 'Bell'),
    ...says('scoreAnswer', '0.2', '0.4', '0.5', '0.6', '0.7', '0.8'),
    ...says('askSubQueries', '1. Who filed first?\n2. When was it?', '1. A caveat?\n2. Where?'),
    ...says('generateDocument', 'One.', 'Two.', 'Three.', 'Four.', 'Five.'),
  ]),
  // The second search brings nothing new, and the documents pass all the same.
  llatrieval: answered('llatrieval', { supporting: 2, passages: 4, window: 3, iterations: 2 }, [
    ...says('summarizeDocument', 'One.', 'Two.', 'Three.', 'Four.'),
    ...says('selectDocuments', 'Selected passages: 1 2', 'Selected passages: 3 1'),
    ...says('verifyClassify', '[NO]', '[YES]'),
    ...says('missingInfoQuery', 'Gray filed a caveat.'),
    ...says('answerWithCitations', 'It was Bell [1].'),
  ]),
  genread: answered('genread', { generation: 'sampled', documents: 2, passages: 2 }, [
    ...says('generateDocument', 'Bell was granted the patent.', 'Gray filed a caveat.'),
    ...says('readBackground', 'Bell'),
  ]),
  'chain-of-note': answered(
    'chainOfNote',
    { passages: 2 },
    says('takeNotes', 'Note 1 (irrelevant): Rivers.\nNote 2 (relevant): It is.\nAnswer: Bell'),
  ),
  'chain-of-note-per-passage': answered('chainOfNote', { passages: 2, form: 'per-passage' }, [
    ...says('takeNote', 'Irrelevant: Rivers.', 'Relevant: It names Bell.'),
    ...says('answerFromNotes', 'Bell'),
  ]),

  base: answered('base', {}, says('read', 'Bell')),
  rerank: answered('rerank', { passages: 3 }, says('read', 'Gray', 'Bell', 'Bell')),
  lamer: answered('lamer', { queries: 2 }, [
    ...says('hypotheticalPassage', 'Bell was granted it.', 'Gray filed a caveat.'),
    ...says('read', 'Bell'),
  ]),
  'multi-chain': answered('multiChain', { chains: 2, passages: 2 }, [
    ...says('followUp', 'Follow up: Who filed first?', 'Follow up: Who filed first?'),
    ...says('read', 'Bell'),
    ...says('followUp', 'So the final answer is: Bell', 'So the final answer is: Bell'),
    ...says('metaReason', 'Both say so.\nAnswer: Bell'),
  ]),
};

function answered<M extends MethodName>(
  method: M,
  options: Partial<OptionsOf<M>>,
  script: Line[],
): Recording {
  return { method, options, script, outcome: 'answered' };
}

/** Lines of a step, said in this order. */
function says(step: ScriptedStep, ...replies: string[]): Line[] {
  return replies.map((say) => ({ step, say }));
}
