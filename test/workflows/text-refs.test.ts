/** What a history holds of texts: long ones once, and those that steps read from stores not at all. */
import { expect, it } from 'vitest';
import { ResponseCache } from '../../llm/response-cache.js';
import { demonstrationSets } from '../../stores/demonstration-sets.js';
import { MemoryStore } from '../../stores/memory-store.js';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { telephoneSet } from '../support/genread-script.js';
import { handleOf, historyText, scheduledIn } from '../support/history.js';
import { runOnServer } from '../support/run-on-server.js';
import { says } from '../support/run-scripted.js';
import { corporaThatFind } from '../support/searches.js';

const bell = `Bell was granted it. ${'The office opened at nine that day. '.repeat(12)}`.trim();
const gray = `Gray filed a caveat. ${'His lawyer came two hours later. '.repeat(12)}`.trim();

const script: ScriptedReply[] = [
  { step: 'generateCandidates', say: '(a) Bell, (b) Gray' },
  { step: 'summarize', when: /Prediction: \(a\) Bell/, say: `${bell} [DONE]` },
  { step: 'summarize', when: /Prediction: \(b\) Gray/, say: `Passage: ${gray} [DONE]` },
  { step: 'validate', when: /Bell was granted/, say: 'True' },
  { step: 'validate', when: /Gray filed/, say: 'False' },
  { step: 'rankPair', when: /Passage 1: Bell was/, say: 'Passage 1' },
  { step: 'rankPair', when: /Passage 1: Gray filed/, say: 'Passage 2' },
];

/** The responses of summaries are not there any more when a later step looks. */
class ForgetfulCache extends ResponseCache {
  constructor() {
    super(new MemoryStore());
  }

  override text = async () => undefined;
}

const expected = {
  outcome: 'answered',
  answer: 'Bell',
  flags: [],
  usage: { calls: 7, cachedCalls: 0 },
  chain: {
    candidates: [
      { text: 'Bell', summary: bell, valid: true, rank: 1 },
      { text: 'Gray', summary: gray, valid: false, rank: 0 },
    ],
  },
};

async function ask(changes: Parameters<typeof runOnServer>[3] = {}) {
  const { result, model, harness } = await runOnServer('sure', script, {}, changes);
  expect(result).toMatchObject(expected);
  expect(model.left).toEqual([]);
  const history = await handleOf(harness.connection, result.workflowId).fetchHistory();
  const names = scheduledIn(history).map(({ name }) => name);
  return { text: historyText(history), names };
}

it('shows a summary where it was written and in the result, and steps read it from there', async () => {
  const { text, names } = await ask();
  for (const summary of [bell, gray]) expect(text.split(summary)).toHaveLength(3);
  expect(names.filter((name) => name === 'validate' || name === 'rankPair')).toHaveLength(4);
});

it('gives steps the summary itself where its response is not there any more', async () => {
  const { text, names } = await ask({ responses: new ForgetfulCache() });
  // Each of the four steps that read summaries was asked in vain, and then with the texts.
  expect(names.filter((name) => name === 'validate' || name === 'rankPair')).toHaveLength(8);
  expect(text).toContain('UnknownText');
});

it('holds no demonstrations', async () => {
  const changes = { demonstrationSets: demonstrationSets(new MemoryStore()) };
  await changes.demonstrationSets.put('telephones', telephoneSet);
  const written: ScriptedReply[] = [
    { step: 'generateDocument', when: /Marconi/, say: bell },
    { step: 'generateDocument', when: /Ulm/, say: gray },
    { step: 'readBackground', say: 'Bell' },
  ];
  const options = { generation: 'clustered', demonstrationSet: 'telephones' } as const;
  const { result, harness } = await runOnServer('genread', written, { options }, changes);
  expect(result.answer).toBe('Bell');
  const history = await handleOf(harness.connection, harness.id).fetchHistory();
  expect(historyText(history)).not.toContain('Marconi');
});

it('is small after the longest question', async () => {
  const many = Array.from({ length: 200 }, (_, i) => ({
    id: `p${i + 1}`,
    title: `Title ${i + 1}`,
    text: `Text of passage ${i + 1}.`,
  }));
  const queries: string[] = [];
  const corpora = corporaThatFind((query) => {
    const number = queries.push(query) - 1;
    return many.slice(50 * number, 50 * number + 50).map(({ id }) => id);
  }, many);
  const times = (count: number, say: string) => Array<string>(count).fill(say);
  const lines = [
    ...says('summarizeDocument', ...times(200, 'word '.repeat(50))),
    ...says('selectDocuments', ...times(15, '2 4 6 8 10')),
    ...says('verifyClassify', ...times(4, '[NO]')),
    ...says('missingInfoQuery', 'One.', 'Two.', 'Three.'),
    ...says('answerWithCitations', 'Bell [1].'),
  ];
  const { result, harness } = await runOnServer('llatrieval', lines, {}, { corpora });
  expect(result).toMatchObject({ outcome: 'answered', usage: { calls: 223 } });
  const history = await handleOf(harness.connection, harness.id).fetchHistory();
  expect(historyText(history)).not.toContain('Text of passage');
  // The server warns at 10,240 events and at 10 MB.
  expect(history.events?.length).toBeLessThan(1500);
  expect(historyText(history).length).toBeLessThan(2_000_000);
});
