/** Studies that cannot be, or cannot be shown so, each with the whole sentence. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { fileRuns } from '../../stores/runs/file-runs.js';
import { refusalOf } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';
import { refusals } from '../support/refusals.js';
import { answerOf, keepRun, numbered, runOf } from '../support/runs/answers.js';

/** A study of two cells, over a file that need not be there. */
const STUDY =
  'name: s\nmethods: [base, { base: { passages: 0 }, as: closed }]\ndatasets: [c.jsonl]\nbaseline: base\n';

/** Throws what a command is refused with; FILE is a study file with this text, beside the others. */
async function running(
  line: string,
  {
    text = STUDY,
    beside = {},
    env = {},
  }: { text?: string; beside?: object; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries({ 'study.yaml': text, ...beside })) {
    await writeFile(join(folder, name), content);
  }
  const words = line.split(' ').map((word) => word.replace('FILE', join(folder, 'study.yaml')));
  const refused = await refusalOf(words, { env });
  if (refused) throw refused;
}

describe('flags of a study', () => {
  refusals(
    (line: string) => running(line),
    [
      [
        'race base sure --dataset c.jsonl --delta 200',
        '--delta: must be points from 0 to below 100, not "200"',
      ],
      [
        'race base sure --dataset c.jsonl --delta 100',
        '--delta: must be points from 0 to below 100, not "100"',
      ],
      [
        'race base sure --dataset c.jsonl --alpha few',
        '--alpha: must be a number above 0 and below 1, not "few"',
      ],
      [
        'race base base --dataset c.jsonl',
        '<second>: has the name "base", like another one; give one of them another name with "as"',
      ],
      [
        'race base {sure:{"candidats":3}} --dataset c.jsonl',
        '<second>.sure.candidats: there is no such field; did you mean candidates?',
      ],
      ['race base sure', '--dataset: is missing; it must be a file of questions'],
      ['study run FILE --delta 3', '--delta: has no effect without --until-decided'],
      [
        'study run FILE --until-decided --about thisDataset --failures leftOut',
        'FOLDER/study.yaml: untilDecided.failures: must be "wrong" if the decision is about this data set: every question counts',
      ],
      [
        'study check FILE --cell closed --against b',
        '--margin: is missing; it must be points from 0 to below 100',
      ],
      [
        'study check FILE --cell closed --against b --margin 100',
        '--margin: must be points from 0 to below 100, not "100"',
      ],
      [
        'study check FILE --cell closed',
        '--against: is missing; it must be text; --margin: is missing; it must be points from 0 to below 100',
      ],
      ['study set s --budget-usd nothing', '--budget-usd: must be a number above 0, not "nothing"'],
    ],
  );
});

/** A few lines that stand for ten to the power of nine values. */
const BOMB = [
  `a: &a [${Array(10).fill('"x"').join(', ')}]`,
  ...[...'bcdefghi'].map(
    (name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghi'[at]}`).join(', ')}]`,
  ),
].join('\n');

describe('a file of a study', () => {
  refusals(
    (_: string, text: string) => running('study run FILE --dry-run', { text }),
    [
      [
        'stands for too much',
        BOMB,
        'FOLDER/study.yaml: has aliases (*NAME) that are undefined, circular or too large: write the values out',
      ],
      [
        'holds itself',
        'name: s\nmethods: &m [*m]',
        'FOLDER/study.yaml: has aliases (*NAME) that are undefined, circular or too large: write the values out',
      ],
      [
        'names nothing',
        'name: *none',
        'FOLDER/study.yaml: has aliases (*NAME) that are undefined, circular or too large: write the values out',
      ],
      [
        'has a program in it',
        'name: s\nmethods: [!!js/function "x"]',
        'FOLDER/study.yaml: has the tag "tag:yaml.org,2002:js/function" at line 2: write the value without it',
      ],
      [
        'has a type of its own',
        'name: !mine s',
        'FOLDER/study.yaml: has the tag "!mine" at line 1: write the value without it',
      ],
      [
        'compares by no metric',
        `${STUDY}metrics: [em, f2]\n`,
        'FOLDER/study.yaml: line 5, metrics.1: there is no metric "f2"; did you mean f1?',
      ],
      [
        'has an option that its method does not have',
        'name: s\nmethods:\n  - base\n  - { sure: { candidats: 3 }, as: three }\ndatasets: [c.jsonl]\n',
        'FOLDER/study.yaml: line 4, methods.1.sure.candidats: there is no such field; did you mean candidates?',
      ],
      [
        'has wrong options of two methods',
        'name: s\nmethods:\n  - { base: { passages: -1 }, as: few }\n  - { sure: { candidats: 3 }, as: three }\ndatasets: [c.jsonl, d.jsonl]\n',
        'FOLDER/study.yaml: line 3, methods.0.base.passages: must be a whole number from 0 to 200, not -1; line 4, methods.1.sure.candidats: there is no such field; did you mean candidates?',
      ],
      [
        'has a model for a step that no method has',
        `${STUDY}models: [m, { reed: n, default: m, as: other }]\n`,
        'FOLDER/study.yaml: line 5, models.1.reed: is not a step of base; did you mean read?',
      ],
      [
        'has bytes in it',
        'name: !!binary aGk=',
        'FOLDER/study.yaml: has the tag "tag:yaml.org,2002:binary" at line 1: write the value without it',
      ],
      [
        'has an infinite number in it',
        'name: s\nsample: .inf',
        'FOLDER/study.yaml: has the value .inf at line 2: write a finite number',
      ],
      [
        'has a value that is no number in it',
        'name: s\nmethods:\n  - options: { passages: -.NaN }\nmargin: .nan',
        'FOLDER/study.yaml: has the value .nan at line 4: write a finite number',
      ],
      [
        'is no YAML',
        'name: [',
        'FOLDER/study.yaml: is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 8:\n\nname: [\n       ^\n',
      ],
    ],
  );
  const checking = 'study check FILE --cell closed --against b --margin 5';
  refusals(
    (text: string) => running(checking, { text }),
    [
      [
        'name: [',
        'FOLDER/study.yaml: is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 8:\n\nname: [\n       ^\n',
      ],
    ],
  );
});

const TRAINING = [1, 2, 3].map((n) => ({ question: `Q${n}?`, answers: [`A${n}`] }));
const TRAIN = TRAINING.map((one) => JSON.stringify(one));
/** Two of them say why. */
const WHY = TRAINING.map((one, i) =>
  JSON.stringify({ ...one, why: i < 2 ? [`It is ${i + 1}.`, ' ', 'So it is.'] : [] }),
);

describe('demonstrations that a study draws', () => {
  const beside = { 'train.jsonl': TRAIN.join('\n'), 'why.jsonl': WHY.join('\n') };
  const drawing = (method: string, demonstrations: string) =>
    running('study run FILE --dry-run', {
      text: `name: s\nmethods: [{ ${method}: { demonstrations: ${demonstrations} } }]\ndatasets: [c.jsonl]\n`,
      beside,
    });
  refusals(drawing, [
    [
      'sure',
      '{ count: 2 }',
      'FOLDER/study.yaml: line 2, methods.0.sure.demonstrations.from: is missing; it must be text that is not empty',
    ],
    [
      'sure',
      '{ from: train.jsonl }',
      'FOLDER/study.yaml: line 2, methods.0.sure.demonstrations.count: is missing; it must be a whole number from 1 to 50',
    ],
    [
      'sure',
      '{ from: train.jsonl, count: 5 }',
      'FOLDER/study.yaml: line 2, methods.0.sure.demonstrations.from: has 3 questions with an answer, but 5 are needed',
    ],
    [
      'sure',
      '{ from: ./c.jsonl, count: 1 }',
      'FOLDER/study.yaml: line 2, methods.0.sure.demonstrations.from: is the data set to ask, so the demonstrations would contain the answers',
    ],
    [
      'sure',
      '{ from: none.jsonl, count: 1 }',
      'FOLDER/study.yaml: The data set none.jsonl does not exist: FOLDER/none.jsonl (did you mean why.jsonl?).',
    ],
    [
      'sure',
      '{ from: train.jsonl, count: 1, sed: 2 }',
      'FOLDER/study.yaml: line 2, methods.0.sure.demonstrations.sed: there is no such field; did you mean seed?',
    ],
    [
      'sure',
      '{ from: train.jsonl, count: 1, thoughts: why }',
      'FOLDER/study.yaml: line 2, methods.0.sure.demonstrations.thoughts: has no effect: the demonstrations of sure include no thoughts',
    ],
    [
      'ircot',
      '{ from: train.jsonl, count: 1 }',
      'FOLDER/study.yaml: line 2, methods.0.ircot.demonstrations.thoughts: is missing: the demonstrations of ircot include thoughts; name the field of the file that contains them, or write the demonstrations yourself',
    ],
    [
      'iterRetgen',
      '{ from: why.jsonl, reader: durable-rag, count: 3, thoughts: why }',
      'FOLDER/study.yaml: line 2, methods.0.iterRetgen.demonstrations.from: has 2 questions with an answer and why, but 3 are needed',
    ],
    [
      'ircot',
      '{ from: train.jsonl, count: 1, thoughts: "a..b" }',
      'FOLDER/study.yaml: line 2, methods.0.ircot.demonstrations.thoughts: must be a path such as inputs.question, outputs.answer[], messages[1].content, answer.* or "a.key"',
    ],
  ]);
});

let results: string;

/** Two studies that are kept: one of 60 questions of 10 documents, one that stops when it is decided. */
beforeAll(async () => {
  results = await temporaryFolder();
  const store = fileRuns(results);
  for (const name of ['kept', 'decided', 'declared']) {
    for (const [place, method] of ['base', 'sure'].entries()) {
      const study = {
        name,
        method,
        dataset: 'nq',
        model: 'mini',
        place,
        repeat: 1,
        baseline: 'base',
        ...(name === 'decided' && { untilDecided: { delta: 0, alpha: 0.05 } }),
        ...(name === 'declared' && { cluster: 'doc' }),
      };
      const answer = (id: string, i: number) =>
        answerOf(id, 'answered', { em: Number(i % 3 === place), f1: 1 });
      const entries = numbered(60, answer).map(([question, given], i) => {
        const fields = { type: `t${i % 2}`, doc: `d${i % 10}`, source: `s${i}` };
        return [{ ...question, fields }, given] as const;
      });
      await keepRun(
        store,
        runOf(`${name}.${method}`, entries, { method: method as 'base', input: { study } }),
      );
    }
  }
});

const showing = (line: string) => running(line, { env: { DURABLE_RAG_RESULTS: results } });

describe('a kept study', () => {
  // These flags are the same in all three commands.
  for (const command of ['compare', 'study table', 'report --out FILE.html']) {
    refusals(
      (flags: string) => showing(`${command} ${flags}`),
      [
        ['kept --metric em,en', '--metric: no question has a score in "en"; did you mean em?'],
        ['kept --by typ', '--by: no question has a field or metric "typ"; did you mean type?'],
        [
          'kept --by difficulty',
          '--by: no question has a field or metric "difficulty"; there are type, doc, source, em, f1',
        ],
        [
          'kept --by source',
          '--by: "source" has 60 values, and a table has at most 50 slices; name a field with fewer',
        ],
        ['kept --cluster dok', '--cluster: no question has a field "dok"; did you mean doc?'],
        [
          'kept --cluster doc',
          '--cluster: "doc" groups the questions into 10 clusters, and nothing can be concluded from fewer than 20; name another field, or none',
        ],
        [
          'kept --by type --cluster type',
          '--cluster: "type" groups the questions into 2 clusters, and nothing can be concluded from fewer than 20; name another field, or none',
        ],
        [
          'decided --cluster source',
          '--cluster: cannot be used with decided, which stops when it is decided: its test needs all questions in their order',
        ],
        [
          'decided --by type',
          '--by: cannot be used with decided, which stops when it is decided: its test needs all questions in their order',
        ],
        [
          'declared',
          '--cluster: "doc", which the study declares, groups the questions into 10 clusters, and nothing can be concluded from fewer than 20; name another field, or none',
        ],
      ],
    );
  }
  refusals(showing, [
    [
      'compare decided --margin 2',
      '--margin: cannot be used with decided, which stops when it is decided; see: durable-rag study check',
    ],
    ['compare kept --baseline sur', '--baseline: must be one of the methods compared (base; sure)'],
    [
      'compare kept.base kept.sure --baseline x',
      '--baseline: must be one of the methods compared (base; sure)',
    ],
    ['study table kept --of en', '--of: no question has a score in "en"; did you mean em?'],
    ['study table kept --above en', '--above: no question has a score in "en"; did you mean em?'],
    [
      'study table decided --above em',
      '--above: cannot be used with decided, which stops when it is decided: its test needs all questions in their order',
    ],
    [
      'study table kept --correlate en',
      '--correlate: no question has a score in "en"; did you mean em?',
    ],
    [
      'study table kept --of cost --correlate em',
      '--correlate: needs scores: "of" must be "score" or a metric, not "cost"',
    ],
    [
      'study table kept --long --format latex',
      '--format: must be csv or json with --long, not latex',
    ],
  ]);
});

describe('clusters that a study declares', () => {
  const lines = (fields: (i: number) => object) =>
    Array.from({ length: 40 }, (_, i) =>
      JSON.stringify({ id: `${i}`, question: `What is ${i}?`, answers: ['x'], fields: fields(i) }),
    ).join('\n');
  const clustered = (_: string, more: string, content: string) =>
    running('study run FILE --dry-run', {
      text: `${STUDY}cluster: doc\n${more}`,
      beside: { 'c.jsonl': content },
    });
  refusals(clustered, [
    [
      'no such field',
      '',
      lines(() => ({ topic: 'one' })),
      'Bad input. cluster: no question has a field "doc", which the study declares; there are topic',
    ],
    [
      'too few',
      '',
      lines((i) => ({ doc: `d${i % 19}` })),
      'Bad input. cluster: "doc", which the study declares, groups the questions into 19 clusters, and nothing can be concluded from fewer than 20; name another field, or none',
    ],
    [
      'two rules',
      'untilDecided: {}\n',
      lines(() => ({ topic: 'one' })),
      'FOLDER/study.yaml: line 5, cluster: has no effect with untilDecided, whose test treats each question as one draw',
    ],
  ]);
});
