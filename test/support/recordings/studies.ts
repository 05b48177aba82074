/** Studies, and a run of one that ends where it would pause. */
import { expect } from 'vitest';
import type { StudyInput } from '../../../core/study/study.js';
import { handleOf } from '../history.js';
import { fixedCorpora } from '../ports.js';
import { type Reply, setUpRun, soon } from '../run.js';
import { startInShortHistories } from '../short-histories.js';
import type { Scenario } from './recording.js';

/** A study of two cells. */
async function setUp(reply: Reply, more: Partial<StudyInput> = {}) {
  const { harness, client, spec } = await setUpRun(3, reply);
  const input: StudyInput = {
    name: 'recorded',
    methods: [{ base: { passages: 0 } }, { base: { passages: 1 }, as: 'searching' }],
    datasets: [{ stored: spec.dataset, as: 'numbers', corpus: 'sample' }],
    baseline: 'base',
    ...more,
  };
  return { harness, client, input };
}

async function start(reply: Reply, more?: Partial<StudyInput>) {
  const { harness, client, input } = await setUp(reply, more);
  const told = await client.study(input);
  const history = (id: string) => handleOf(harness.connection, id).fetchHistory();
  return { told, history };
}

export const studyRecordings: Record<string, Scenario> = {
  'evaluate-study': async () => {
    const { told, history } = await start(() => 'Bell');
    expect(await told.result()).toMatchObject({ state: 'finished' });
    return [history(told.workflowId)];
  },

  'evaluate-study-first evaluate-study-continued': async () => {
    const { harness, client, input } = await setUp(() => 'Bell');
    const histories = await startInShortHistories(harness, input, 1);
    const told = await client.getStudy(input.name);
    expect(await told.result()).toMatchObject({ state: 'finished' });
    return histories();
  },

  'evaluate-study-until-decided': async () => {
    const { told, history } = await start(() => 'Bell', { untilDecided: {} });
    const ended = await told.result();
    expect(ended.decisions).toMatchObject([{ verdict: 'cannot', questions: 3 }]);
    return [history(told.workflowId)];
  },

  'evaluate-study-tune': async () => {
    const { harness, client, spec } = await setUpRun(48, (number, _, { model }) => {
      return model === 'other' || number % 2 === 0 ? 'Bell' : 'Gray';
    });
    await (await client.startRun(spec)).result();
    const models = { read: ['other'] };
    const told = await client.tune({
      name: 'recorded-tune',
      start: spec.run,
      goal: 'better',
      try: { models },
    });
    expect(await told.result()).toMatchObject({ decisions: [{ verdict: 'better' }] });
    return [handleOf(harness.connection, told.workflowId).fetchHistory()];
  },

  'evaluate-study-proposing propose-prompts': async () => {
    const reply: Reply = (number, step, { messages: [{ content = '' } = {}] }) => {
      const [, present = ''] = /<prompt>\n(.*?)\n<\/prompt>/s.exec(content) ?? [];
      if (step === 'proposePrompt') return `Read with care.\n${present}`;
      return content.includes('Read with care.') || number % 2 === 0 ? 'Bell' : 'Gray';
    };
    const corpora = fixedCorpora([{ id: 'p1', title: 'Names', text: 'It was Bell, not Gray.' }]);
    const reading = { options: { passages: 1 } };
    const { harness, client, spec } = await setUpRun(48, reply, reading, undefined, { corpora });
    await (await client.startRun(spec)).result();
    const propose = { model: 'scripted-1', each: 1, rounds: 1 };
    const told = await client.tune({
      name: 'recorded-proposals',
      start: spec.run,
      goal: 'better',
      try: { propose },
    });
    expect(await told.result()).toMatchObject({ decisions: [{ verdict: 'better' }] });
    const history = (id: string) => handleOf(harness.connection, id).fetchHistory();
    return [history(told.workflowId), history(`${told.workflowId}/prompts-1`)];
  },

  'evaluate-study-budget evaluate-run-ends-at-pause': async () => {
    const reply: Reply = () => ({ text: 'Bell', costUsd: 0.1 });
    const { told, history } = await start(reply, { budgetUsd: 0.05, concurrency: 1 });
    const paused = await soon(async () => {
      const progress = await told.progress();
      expect(progress.state).toBe('paused');
      return progress;
    });
    const run = await history(`eval/${paused.runs[0]?.run}`);
    await told.set({ budgetUsd: null });
    await told.resume();
    expect(await told.result()).toMatchObject({ state: 'finished' });
    return [history(told.workflowId), run];
  },
};
