/** Questions of the methods of the papers: every path that changes what their workflows command. */
import { Failure } from '../../../core/failure.js';
import { demonstrationSets } from '../../../stores/demonstration-sets.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { telephoneSet } from '../genread-script.js';
import { fixedCorpora } from '../ports.js';
import { says } from '../run-scripted.js';
import { inProcess } from '../searches.js';
import { telephoneScript } from '../telephone.js';
import { answered, type Questions } from './recording.js';

const slow = 60_000;

const sure: Questions = {
  sure: answered('sure', {}, telephoneScript()),
  // Its calls are on the queue of its workflow, and its search is in the process.
  'sure-eager': answered('sure', {}, telephoneScript(), {
    changes: () => ({ inProcess, rateMarks: new MemoryStore() }),
    concurrency: 100,
  }),
  'sure-one-candidate': answered('sure', {}, says('generateCandidates', '(a) Bell')),
  'sure-asked-again': answered('sure', {}, [
    ...says('generateCandidates', '...'),
    { step: 'validate', when: /Prediction: Gray/, say: 'Perhaps' },
    ...telephoneScript(),
  ]),
  'sure-failed': answered(
    'sure',
    {},
    [
      ...says('generateCandidates', '(a) Bell, (b) Gray'),
      { step: 'summarize', when: /Prediction: \(a\)/, say: 'Bell was granted it. [DONE]' },
      { step: 'summarize', when: /Prediction: \(b\)/, say: new Failure('ContentRefused', 'No.') },
      ...says('validate', 'True'),
    ],
    { outcome: 'failed' },
  ),
  'sure-cancelled': answered(
    'sure',
    {},
    [
      ...says('generateCandidates', '(a) Bell, (b) Gray'),
      { step: 'summarize', say: '', delayMs: slow },
      { step: 'summarize', say: '', delayMs: slow },
    ],
    { outcome: 'failed', cancelAfter: 3 },
  ),
  'sure-by-validity': answered('sure', { selection: 'validity' }, telephoneScript()),
  'sure-by-ranking': answered('sure', { selection: 'ranking' }, telephoneScript()),
  'sure-unreadable': answered('sure', {}, says('generateCandidates', '...', '...', '...'), {
    outcome: 'unreadable',
  }),
};

const allies: Questions = {
  // Two seeds, a sub-query to each of them, one more to the better of the two.
  // Two thoughts that bring nothing more end the first; the second comes to an answer.
  ircot: answered('ircot', { passages: 2 }, [
    ...says('nextThought', 'Thought: Bell filed first.', 'Thought: Bell was granted it.'),
    ...says('reason', 'So.\nAnswer: Bell'),
  ]),
  'ircot-concluded': answered('ircot', { passages: 2, reader: 'direct' }, [
    ...says('nextThought', 'Thought: Bell filed first.', 'Answer: Bell'),
    ...says('read', 'Bell'),
  ]),
  'iter-retgen': answered('iterRetgen', { passages: 2, iterations: 3 }, [
    ...says(
      'thinkAndAnswer',
      'Gray filed first.\nSo the answer is: Gray',
      'So the answer is: Gray',
    ),
    ...says('thinkAndAnswer', 'Bell was granted it.\nSo the answer is: Bell'),
  ]),
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
  'allies-no-evidence': answered('allies', { subQueries: 1, depth: 1, evidence: 'none' }, [
    ...says('answerWithEvidence', 'Gray', 'Bell', 'Bell', 'Bell'),
    ...says('scoreAnswer', '0.2', '0.4', '0.5', '0.6'),
    ...says('askSubQueries', '1. Who filed first?', '1. Who filed a caveat?'),
  ]),
  'allies-nothing-found': answered(
    'allies',
    { subQueries: 1, depth: 1 },
    [
      ...says('answerWithEvidence', 'Gray', 'Bell', 'Bell', 'Bell'),
      ...says('scoreAnswer', '0.2', '0.4', '0.5', '0.6'),
      ...says('askSubQueries', '1. Who filed first?', '1. Who filed a caveat?'),
    ],
    { changes: () => ({ corpora: fixedCorpora([]) }) },
  ),
};

const queries: Questions = {
  'rewrite-retrieve-read': answered('rewriteRetrieveRead', { passages: 2 }, [
    ...says('rewriteQuestion', '1. Bell patent\n2. Gray caveat'),
    ...says('read', 'Bell'),
  ]),
  // The second waits for the first; the third is asked at once.
  decompose: answered('decompose', { passages: 2 }, [
    ...says('decomposeQuestion', '1. Who filed first?\n2. Where was #1 born?\n3. When was it?'),
    { step: 'answerSubQuestion', when: /Who filed/, say: 'Bell [1]' },
    { step: 'answerSubQuestion', when: /Bell born/, say: 'Edinburgh' },
    { step: 'answerSubQuestion', when: /When was it/, say: '1876 [2]' },
    ...says('answerFromSubQuestions', 'Bell'),
  ]),
  'decompose-not': answered('decompose', { passages: 2 }, [
    ...says('decomposeQuestion', 'None'),
    ...says('read', 'Bell'),
  ]),
};

const query = (words: string) => `<|begin_search_query|>${words}<|end_search_query|>`;

const byTurns: Questions = {
  // A search, a turn that cannot be read, and an answer.
  'tagged-search': answered('taggedSearch', { passages: 2 }, [
    ...says('think', '<search> Who filed first? </search>', 'Well.', '<answer> Bell </answer>'),
  ]),
  // A search, the same once more, and the end without an answer, which is asked for.
  'search-o1': answered('searchO1', { passages: 2 }, [
    ...says('think', query('Who filed first?'), query('Who filed first?'), 'Well.', 'Bell'),
    ...says('readInDocuments', 'Final Information\nBell did.'),
  ]),
  // A search, a lookup, a thought without an action.
  react: answered('react', {}, [
    ...says('act', 'So.\nAction 1: search[Title 1]', 'So.\nAction 2: lookup[text]', 'Well.'),
    ...says('act', 'finish[Bell]'),
  ]),
  'react-voted': answered('react', { maxTurns: 1, selfConsistency: 'after', samples: 2 }, [
    ...says('act', 'So.\nAction 1: search[Title 1]'),
    ...says('reason', 'Answer: Bell', 'Answer: Bell'),
  ]),
};

const paths: Questions = {
  // A sub-query that comes again is asked for once more.
  corag: answered('corag', { passages: 2, length: 2 }, [
    ...says('nextSubQuery', 'Who filed first?', 'Who filed first?', 'Who was granted it?'),
    ...says('answerSubQuery', 'Bell', 'No relevant information found'),
    ...says('answerFromPath', 'Bell'),
  ]),
  'corag-best-of-n': answered(
    'corag',
    { passages: 2, length: 1, decoding: 'best-of-n', paths: 2, documents: 2 },
    [
      ...says('nextSubQuery', 'Who filed first?', 'Who was granted it?'),
      ...says('answerSubQuery', 'Bell', 'Bell'),
      ...says('ratePath', '4', '6'),
      ...says('answerFromPath', 'Bell'),
    ],
  ),
  'corag-tree': answered(
    'corag',
    { passages: 2, length: 2, decoding: 'tree', expand: 2, rollouts: 1 },
    [
      // Three draws of each round, of which two are different, and a path on from both.
      ...says('nextSubQuery', 'Who filed?', 'Who filed?', 'Who was granted it?'),
      ...says('nextSubQuery', 'When was it?', 'When was it?'),
      ...says('nextSubQuery', 'Who filed first?', 'Who filed last?', 'Who filed last?'),
      ...says('answerSubQuery', ...Array(6).fill('Bell')),
      ...says('ratePath', '4', '4', '4', '4'),
      ...says('answerFromPath', 'Bell'),
    ],
  ),
};

const adaptive: Questions = {
  'adaptive-none': answered('adaptiveRag', {}, [
    ...says('classifyQuestion', 'None'),
    ...says('read', 'Bell'),
  ]),
  'adaptive-single': answered('adaptiveRag', {}, [
    ...says('classifyQuestion', 'Single'),
    ...says('read', 'Bell'),
  ]),
  'adaptive-multi': answered('adaptiveRag', {}, [
    ...says('classifyQuestion', 'Multi'),
    ...says('nextThought', 'Thought: Bell filed first.', 'Answer: Bell'),
    ...says('reason', 'So.\nAnswer: Bell'),
  ]),
};

const llatrieval: Questions = {
  // The second search brings nothing new, and the documents pass all the same.
  llatrieval: answered('llatrieval', { supporting: 2, passages: 4, window: 3, iterations: 2 }, [
    ...says('summarizeDocument', 'One.', 'Two.', 'Three.', 'Four.'),
    ...says('selectDocuments', 'Selected passages: 1 2', 'Selected passages: 3 1'),
    ...says('verifyClassify', '[NO]', '[YES]'),
    ...says('missingInfoQuery', 'Gray filed a caveat.'),
    ...says('answerWithCitations', 'It was Bell [1].'),
  ]),
  'llatrieval-scored': answered(
    'llatrieval',
    {
      supporting: 2,
      passages: 3,
      iterations: 1,
      summaries: false,
      verification: 'score',
      firstQuery: 'hypothetical-passage',
    },
    [
      ...says('hypotheticalPassage', 'Bell was granted the patent.'),
      ...says('selectDocuments', 'Selected passages: 1 2'),
      ...says('verifyScore', '[3]'),
      ...says('answerWithCitations', 'It was Bell [1][9].'),
    ],
  ),
  'llatrieval-nothing-found': answered('llatrieval', {}, [], {
    outcome: 'unknown',
    changes: () => ({ corpora: fixedCorpora([]) }),
  }),
};

/** With a demonstration set named "telephones". */
async function storedSet() {
  const sets = demonstrationSets(new MemoryStore());
  await sets.put('telephones', telephoneSet);
  return { demonstrationSets: sets };
}

const genread: Questions = {
  genread: answered('genread', { generation: 'sampled', documents: 2, passages: 2 }, [
    ...says('generateDocument', 'Bell was granted the patent.', 'Gray filed a caveat.'),
    ...says('readBackground', 'Bell'),
  ]),
  'genread-zero-shot': answered('genread', { documents: 1 }, [
    ...says('generateDocument', 'Bell was granted the patent.'),
    ...says('readBackground', 'Bell'),
  ]),
  'genread-human-prompts': answered('genread', { generation: 'humanPrompts', documents: 2 }, [
    ...says('generateDocument', 'Bell was granted the patent.', 'Gray filed a caveat.'),
    ...says('readBackground', 'Bell'),
  ]),
  'genread-clustered': answered(
    'genread',
    { generation: 'clustered', demonstrationSet: 'telephones', documents: 2 },
    [
      ...says('generateDocument', 'Bell was granted the patent.', 'Gray filed a caveat.'),
      ...says('readBackground', 'Bell'),
    ],
    { changes: storedSet },
  ),
  'genread-fact-checking': answered('genread', { task: 'factChecking', documents: 1 }, [
    ...says('generateDocument', 'Bell was granted the patent.'),
    ...says('checkClaim', 'True'),
  ]),
  'genread-dialogue': answered('genread', { task: 'dialogue', documents: 1 }, [
    ...says('generateDocument', 'Bell was granted the patent.'),
    ...says('reply', 'It was Bell, as far as I know.'),
  ]),
};

const chainOfNote: Questions = {
  'chain-of-note': answered(
    'chainOfNote',
    { passages: 2 },
    says('takeNotes', 'Note 1 (irrelevant): Rivers.\nNote 2 (relevant): It is.\nAnswer: Bell'),
  ),
  'chain-of-note-per-passage': answered('chainOfNote', { passages: 2, form: 'per-passage' }, [
    ...says('takeNote', 'Irrelevant: Rivers.', 'Relevant: It names Bell.'),
    ...says('answerFromNotes', 'Bell'),
  ]),
};

export const methodQuestions = {
  ...sure,
  ...allies,
  ...queries,
  ...byTurns,
  ...paths,
  ...adaptive,
  ...llatrieval,
  ...genread,
  ...chainOfNote,
};
