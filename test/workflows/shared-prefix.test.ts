/** How much of what a question pays for begins like a prompt it has paid for already. */
import { describe, expect, it } from 'vitest';
import type { Passage } from '../../core/vocabulary.js';
import { scripted } from '../../interpreters/scripted.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import type { MethodName } from '../../workflows/methods.js';
import { fixedCorpora, testPorts } from '../support/ports.js';
import { type Asked as Call, modelThatSays } from '../support/saying.js';
import { QUESTION as question } from '../support/telephone.js';

/** As long as those of Wikipedia: about 100 words. */
const corpus: Passage[] = Array.from({ length: 12 }, (_, i) => ({
  id: `p${i}`,
  title: `Telephone ${i}`,
  text: `${i}: ${'Bell was granted the patent in the spring of 1876. '.repeat(12)}`,
}));

const replies: Partial<Record<ScriptedStep, string>> = {
  generateCandidates: '(a) Bell, (b) Gray',
  summarize: 'It is so. [DONE]',
  validate: 'True',
  rankPair: 'Passage 1',
  condenseEvidence: corpus[0]?.text ?? '',
  scoreAnswer: '0.4',
  askSubQueries: '1. Who filed first?\n2. When was it granted?',
  generateDocument: corpus[0]?.text ?? '',
  takeNote: 'Relevant: It names Bell.',
  selectDocuments: 'Selected passages: 1 2 3',
  verifyClassify: '[NO]',
};

/** Whose calls read other passages each: the task and the question come first, and are shared. */
const OWN_PASSAGES = new Set<ScriptedStep>(['condenseEvidence', 'summarizeDocument', 'takeNote']);

type Asked = Pick<Call, 'prompt' | 'step'>;

async function promptsOf(method: MethodName, options: object): Promise<Asked[]> {
  const prompts: Asked[] = [];
  const llm = modelThatSays(({ step, prompt }) => {
    prompts.push({ step, prompt });
    return replies[step] ?? 'Bell';
  });
  const ports = testPorts(llm, { corpora: fixedCorpora(corpus) });
  expect((await scripted(method, { question, options }, ports)).outcome).toBe('answered');
  return prompts;
}

/** Characters that two texts begin with alike. */
function common(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** The part of all prompt characters that an earlier prompt begins with. */
function sharedPart(prompts: readonly Asked[]): number {
  const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
  const shared = prompts.map(({ prompt }, i) =>
    Math.max(0, ...prompts.slice(0, i).map((earlier) => common(earlier.prompt, prompt))),
  );
  return sum(shared) / sum(prompts.map(({ prompt }) => prompt.length));
}

/** What a prompt quotes between tags, text by text. */
function quoted(prompt: string): string[] {
  return [...prompt.matchAll(/^<(passage|evidence) number[\s\S]*?<\/\1>$/gm)].map(([text]) => text);
}

/** Pairs of prompts of which the second quotes all that the first does, and perhaps more after it. */
function extended(prompts: readonly Asked[]): [Asked, Asked][] {
  return prompts.flatMap((one) => {
    const texts = quoted(one.prompt);
    return prompts.flatMap((other): [Asked, Asked][] => {
      const begins = texts.every((text, i) => quoted(other.prompt)[i] === text);
      return one !== other && texts.length > 0 && begins ? [[one, other]] : [];
    });
  });
}

/**
 * The least part of all prompt characters that an earlier prompt begins with; what is left are the
 * texts at their first sight, and the tasks. SuRe's three longest prompts read the same passages:
 * two of three are shared. GenRead's samples are asked for by one prompt, but their reading is the
 * longest; Chain-of-Note's notes read a passage each, after the task and the question.
 */
describe.each([
  ['sure', {}, ['generateCandidates', 'summarize'], 0.6],
  ['allies', {}, ['answerWithEvidence', 'askSubQueries', 'scoreAnswer'], 0.5],
  [
    'llatrieval',
    { supporting: 3, passages: 6, window: 5, iterations: 2 },
    ['answerWithCitations', 'missingInfoQuery', 'verifyClassify'],
    0.4,
  ],
  ['genread', { generation: 'sampled', documents: 5 }, [], 0.15],
  ['chainOfNote', { form: 'per-passage' }, [], 0.2],
] as const)('the prompts of %s', (method, options, sharing, least) => {
  it('begin alike up to the end of what they quote alike', async () => {
    const prompts = await promptsOf(method, options);
    const pairs = extended(prompts.filter(({ step }) => !OWN_PASSAGES.has(step)));
    for (const [one, other] of pairs) {
      const last = quoted(one.prompt).at(-1) ?? '';
      const end = one.prompt.indexOf(last) + last.length;
      expect(common(one.prompt, other.prompt)).toBeGreaterThanOrEqual(end);
    }
    const steps = pairs.flatMap(([one, other]) => [one.step, other.step]);
    expect([...new Set(steps)].sort()).toEqual(sharing);
    expect(sharedPart(prompts)).toBeGreaterThan(least);
  });
});
