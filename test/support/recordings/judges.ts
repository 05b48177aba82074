/** The judging of answers, and the runs that have it done. */
import { expect } from 'vitest';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { defineMetric } from '../../../core/metric.js';
import { metricRegistry } from '../../../evaluation/metrics/registry.js';
import { registeredSteps } from '../../../steps/rubric.js';
import { contentStore } from '../../../stores/content-store.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { questionText, type Reply } from '../run.js';
import type { Scenario } from './recording.js';
import { refused, start } from './runs.js';

export const judgeRecordings: Record<string, Scenario> = {
  'evaluate-run-judged judge-answer-claims judge-answer-failed': async () => {
    const reply: Reply = (number, step) => {
      if (step !== 'judgeClaim') return 'Bell';
      return number === 1 ? refused : 'Yes';
    };
    const claims = (number: number) => ({ claims: [`${questionText(number)} Bell.`] });
    const { told, last, child } = await start(2, reply, { judge: 'judge-1' }, claims);
    expect(await told.result()).toMatchObject({ judge: { failed: 1 } });
    const judged = [0, 1].map((number) => child(number, '/judge').fetchHistory());
    return [last(), ...judged];
  },

  /** One verdict that is read, and one that is not. */
  'evaluate-run-rubrics judge-answer-rubrics judge-answer-no-verdict': async () => {
    const polite = defineMetric({
      from: 'rubric',
      name: 'polite',
      title: 'Polite',
      scale: 'yesNo',
      prompt: { name: 'polite', text: 'Is it polite? {{answer}}\n{{question}}' },
    });
    const { steps, prompts } = registeredSteps({ metrics: [polite] });
    const changes = {
      metrics: metricRegistry([polite]),
      steps,
      prompts: createPromptLibrary(undefined, prompts, contentStore(new MemoryStore())),
    };
    const reply: Reply = (number, step) =>
      step === 'polite' ? (['Yes', 'Hm.'][number] ?? '') : 'Bell';
    const judge = { judge: 'judge-1' };
    const set = await start(2, reply, judge, undefined, undefined, changes);
    const { told, last, child } = set;
    expect(await told.result()).toMatchObject({ unscored: { polite: { questions: 1 } } });
    const judged = [0, 1].map((number) => child(number, '/judge').fetchHistory());
    return [last(), ...judged];
  },

  'judge-answer-citations hyde-of-a-run': async () => {
    const reply: Reply = (_, step) =>
      ({
        hypotheticalPassage: 'Bell was granted it.',
        answerWithCitations: 'Bell got it [1][2]. Gray was late [3]. Nobody minded.',
        judgeClaim: 'Yes',
      })[step as string] ?? refused;
    const options = { passages: 3, answerForm: 'prose' };
    const { told, child } = await start(1, reply, {
      method: 'hyde',
      options,
      judge: 'judge-1',
    });
    expect(await told.result()).toMatchObject({ judge: { failed: 0 } });
    return [child(0, '/judge').fetchHistory(), child(0).fetchHistory()];
  },
};
