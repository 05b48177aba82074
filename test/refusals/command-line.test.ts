/** What is typed wrong, and the whole sentence that says so. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { quietProgram, refusalOf } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';
import { refusals } from '../support/refusals.js';

/** Throws what the words are refused with before a command does anything. */
function typing(line: string): Promise<unknown> {
  return quietProgram().parseAsync(line.split(' '), { from: 'user' });
}

/** Throws what a command is refused with before it asks anybody; FILE is a file with this content. */
async function running(line: string, content?: unknown): Promise<void> {
  const file = join(await temporaryFolder(), 'input.json');
  if (content !== undefined) await writeFile(file, JSON.stringify(content));
  const refused = await refusalOf(line.split(' ').map((word) => (word === 'FILE' ? file : word)));
  if (refused) throw refused;
}

describe('a command, flag or word that there is not', () => {
  refusals(
    typing,
    [
      ['runs delte x', "error: unknown command 'delte'; did you mean delete?"],
      ['datasets putt f', "error: unknown command 'putt'; did you mean put?"],
      ['store zzz', "error: unknown command 'zzz'; there are prune"],
      ['study tabel s', "error: unknown command 'tabel'\n(Did you mean table?)"],
      [
        'help operat',
        "error: unknown command 'operat'; there are eval, study, race, tune, advise, papers, schedule, compare, report, export, status, attach, pause, resume, cancel, set, runs, import-predictions, show, explain, plan, fork, retry, forget, rescore, demo, ask, methods, doctor, completion, index, corpora, datasets, store, train-data, clusters, dev, worker, limits, usage, deploy, codec-server, help",
      ],
      ['help runs delte', "error: unknown command 'delte'; did you mean delete?"],
      ['eval --methdo sure', "error: unknown option '--methdo'\n(Did you mean --method?)"],
      [
        'completion ksh',
        "error: command-argument value 'ksh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
      ],
      [
        'eval --fail-below em',
        "error: option '--fail-below <least>' argument 'em' is invalid. It must have the form name=value.",
      ],
      [
        'eval --fail-below =0.4',
        "error: option '--fail-below <least>' argument '=0.4' is invalid. It must have the form name=value.",
      ],
      [
        'worker --only searches',
        "error: option '--only <parts>' argument 'searches' is invalid. It must be one or more of questions, models, retrieval, separated by commas.",
      ],
      [
        'worker --log-format xml',
        "error: option '--log-format <format>' argument 'xml' is invalid. It must be one of json, text.",
      ],
      [
        'worker --http there:1:2',
        "error: option '--http <address>' argument 'there:1:2' is invalid. It must be a port, or a host and a port such as 0.0.0.0:9464.",
      ],
      [
        'eval --kind lost',
        "error: option '--kind <kind>' argument 'lost' is invalid. Allowed choices are span, boolean, label, list, long.",
      ],
    ],
    'CommanderError',
  );
});

describe('flags of a command', () => {
  refusals(running, [
    ['index passages.jsonl', '--into: is missing; it must be text'],
    ['index passages.jsonl --into wiki --k1 high', '--k1: must be a number, not "high"'],
    ['codec-server --port 70000', '--port: must be a whole number from 0 to 65535, not 70000'],
    ['report first --port 8080', '--port: has no effect without --serve'],
    ['explain first --sample 10', '--sample: has no effect without --stronger or --budget-usd'],
    [
      'explain first --stronger m --sample 1.5',
      '--sample: must be a whole number, at least 1, not 1.5',
    ],
    ['store prune', '--older-than: is missing; it must be text'],
    [
      'store prune --older-than 30',
      '--older-than: "30" is not an age: use a number followed by m, h, d or w, such as 30d.',
    ],
    [
      'store prune --older-than 0d',
      '--older-than: "0d" is not an age: use a number followed by m, h, d or w, such as 30d.',
    ],
    [
      'store prune --older-than -1d',
      '--older-than: "-1d" is not an age: use a number followed by m, h, d or w, such as 30d.',
    ],
    [
      'store prune --older-than 1y',
      '--older-than: "1y" is not an age: use a number followed by m, h, d or w, such as 30d.',
    ],
    [
      'schedule create nightly --cron @daily -- --rpm none',
      '--method: is missing; it must be the name of a method; "durable-rag methods" lists them; --dataset: is missing; it must be the name of a data set, its hash, or a list of questions; --rpm: must be a number above 0, not "none"',
    ],
    // What is written for no limit is a word, and fields are called as their flags.
    ['set first --rpm much', '--rpm: must be a number above 0, or none for no limit, not "much"'],
    [
      'fork first --model m',
      '--model: needs --at, the step that it changes; to change all steps, start another run',
    ],
    ['fork first', '--option: is missing: name what changes, or the call by --at'],
    ['methods chainofnote', 'There is no method "chainofnote"; did you mean chainOfNote?'],
    ['methods --config /nowhere/gone.ts', '--config: there is no file /nowhere/gone.ts.'],
  ]);
});

describe('a question that is asked', () => {
  refusals(running, [
    [
      'ask Who? --method none',
      '--method: there is no method "none"; there are adaptiveRag, allies, base, chainOfNote, chainOfThought, conditionalSummaries, corag, decompose, genread, hyde, ircot, iterRetgen, lamer, llatrieval, mcq, multiChain, noRetrieval, rankGpt, react, replug, rerank, rerankPassages, rewriteRetrieveRead, searchO1, selectionInference, selfAsk, selfVerification, summarizeThenPredict, sure, taggedSearch; commands find one of your own by durable-rag.config.ts (or --config FILE)',
    ],
    [
      'ask Who? --method adaptiveRag --option ircot.passages=0',
      '--option ircot.passages: must be a whole number from 1 to 50, not 0',
    ],
    [
      'ask Who? --method base --candidates 3',
      '--candidates: there is no such field; there are passages, demonstrations, answerForm',
    ],
    [
      'ask Who? --method base --passages 900 --option answerForm=prosa',
      '--passages: must be a whole number from 0 to 200, not 900; --option answerForm: must be one of short, prose, list, not "prosa"; did you mean prose?',
    ],
    [
      'ask Who? --method base --corpus c --passages 0',
      '--corpus: has no effect: with these options the method searches nothing; leave it out',
    ],
    [
      'ask Who? --extra-body temperature=1',
      '--extra-body temperature: is decided by durable-rag; set temperature in models',
    ],
    [
      'ask Who? --extra-body token=abc',
      '--extra-body token: looks like a secret, which would be stored in histories and manifests; send it as a header (openAiModel, see docs/adapters.md)',
    ],
    [
      'ask Who? --extra-body provider={"headers":{"x-api-key":"abc"}}',
      '--extra-body provider.headers.x-api-key: looks like a secret, which would be stored in histories and manifests; send it as a header (openAiModel, see docs/adapters.md)',
    ],
  ]);
  refusals(running, [
    [
      'ask Who? --method base --input FILE',
      { retrieval: { mode: 'fuzzy' } },
      'FOLDER/input.json: retrieval.mode: must be one of bm25, dense, hybrid, not "fuzzy"',
    ],
    [
      'ask Who? --method base --input FILE',
      { options: 3 },
      'FOLDER/input.json: options: must be an object with passages, demonstrations, answerForm, not 3',
    ],
    [
      'ask Who? --method base --input FILE',
      [],
      '--input FOLDER/input.json is not an object; it must contain a JSON object such as {"options":{"passages":5}}.',
    ],
  ]);
});

/** The same words for each row, so that a row shows what is wrong in it. */
const evaluating = (flags: string, content?: unknown) =>
  running(`eval --method sure --dataset q.jsonl ${flags}`, content);

describe('a run that is asked for', () => {
  refusals(running, [
    [
      'eval --method base',
      '--dataset: is missing; it must be the name of a data set, its hash, or a list of questions',
    ],
  ]);
  refusals(evaluating, [
    [
      '--method lookTwice',
      '--method: there is no method "lookTwice"; there are adaptiveRag, allies, base, chainOfNote, chainOfThought, conditionalSummaries, corag, decompose, genread, hyde, ircot, iterRetgen, lamer, llatrieval, mcq, multiChain, noRetrieval, rankGpt, react, replug, rerank, rerankPassages, rewriteRetrieveRead, searchO1, selectionInference, selfAsk, selfVerification, summarizeThenPredict, sure, taggedSearch; commands find one of your own by durable-rag.config.ts (or --config FILE)',
    ],
    ['--method sur', '--method: there is no method "sur"; did you mean sure?'],
    ['--concurrency 0', '--concurrency: must be a whole number from 1 to 50000, not 0'],
    [
      '--concurrency 501',
      '--concurrency: must be at most 500 unless calls go by batch (--transport), not 501',
    ],
    [
      '--name a/b',
      '--name: must be letters, digits, ".", "_" or "-", at most 100 of them, the first a letter or a digit',
    ],
    [
      '--option candidates=two',
      '--option candidates: must be a whole number from 2 to 26, not "two"',
    ],
    [
      '--option candidate=2',
      '--option candidate: there is no such field; did you mean candidates?',
    ],
    [
      '--option demonstrations=[{"question":"q"}]',
      '--option demonstrations.0.answer: is missing; it must be text that is not empty',
    ],
    [
      '--method genread --option generation=clustered',
      '--option demonstrationSet: clustered needs the name of a stored demonstration set',
    ],
    ['--noise-kind top', '--noise: is missing; it must be a number from 0 to 1'],
    [
      '--budget-usd -1 --sample 0',
      '--sample: must be a whole number, at least 1, not 0; --budget-usd: must be a number of US dollars above 0, not -1',
    ],
    ['--pause-after 0', '--pause-after: must be a whole number from 1 to 1000, or none, not 0'],
    ['--junit gate.xml', '--junit: has no effect without --fail-below'],
    ['--fail-below em=40', '--fail-below: must be a number from 0 to 1, not 40'],
    ['--fail-below em=most', '--fail-below: must be a number from 0 to 1, not "most"'],
    ['--batch-wait 5s', '--batch-wait: has no effect without --transport batch'],
    [
      '--transport batch --batch-wait soon',
      '--batch-wait: must be a number of seconds above 0, at most 86400, not "soon"',
    ],
    [
      '--transport batch --batch-size 60000',
      '--batch-size: must be a whole number from 1 to 50000, not 60000',
    ],
    ['--fields answers=a', '--fields question: is missing; it must be text'],
    [
      '--fields question=q,answer=a',
      '--fields answer: there is no such field; did you mean answers?',
    ],
    [
      '--fields question=a..b',
      '--fields question: must be a path such as inputs.question, outputs.answer[], messages[1].content, answer.* or "a.key"',
    ],
    ['--fields question=q --as kilt', 'as (--as): cannot be combined with fields (--fields).'],
    ['--as hotpot', 'as (--as): there is no data set "hotpot"; did you mean hotpotqa?'],
    [
      '--dataset /nowhere/q.jsonl',
      'The data set q.jsonl does not exist: /nowhere/q.jsonl; what the store has is named stored:NAME.',
    ],
    [
      '--input /nowhere.json',
      '--input /nowhere.json does not exist; it must contain a JSON object such as {"options":{"passages":5}}.',
    ],
  ]);
  refusals(evaluating, [
    [
      '--input FILE',
      { budgetUsd: 'a', options: { candidates: 'two' } },
      'FOLDER/input.json: budgetUsd: must be a number of US dollars above 0, not "a"',
    ],
    [
      '--input FILE --passages 0',
      { options: { candidates: 'two', passages: 'x' } },
      '--passages: must be a whole number from 1 to 200, not 0; FOLDER/input.json: options.candidates: must be a whole number from 2 to 26, not "two"',
    ],
  ]);
});

describe('a table of a paper', () => {
  refusals(running, [
    [
      'papers sure table-1 --model m --data /nowhere --dry-run',
      '--data: /nowhere does not have NQ; looked for nq/test.jsonl, indatasets/nq/nq-test.jsonl, nq-test.jsonl, nq.jsonl',
    ],
    [
      'papers sure table-8 --model m --dry-run',
      '--data: FlashRAG does not have ASQA: name a folder that has it; its source is hf:princeton-nlp/ALCE-data/ALCE-data.tar',
    ],
    [
      'papers sure table-1 --model gpt-4=x --dry-run',
      '--model: "gpt-4" is not a model of the paper, which uses gpt-3.5-turbo-0301',
    ],
    [
      'papers sure figure-4c --dry-run',
      'This table cannot be reproduced: people judge. The nearest alternative: the marks of report --serve.',
    ],
    [
      'papers sure table-44 --dry-run',
      'There is no table "table-44" of sure; did you mean table-4?',
    ],
    ['papers shure table-1 --dry-run', 'There is no paper "shure"; did you mean sure?'],
  ]);
});
