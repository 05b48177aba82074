/** A model for every step of every method, whose outputs a hash of the prompt decides. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModel } from '../../llm/language-model.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import { tokens } from './completion.js';
import { modelThatSays } from './saying.js';

/** A number from 0 to 1 that a text decides. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

const SAID: Partial<Record<ScriptedStep, string[]>> = {
  generateCandidates: ['(a) Bell, (b) Reis'],
  validate: ['True', 'False'],
  rankPair: ['Passage 1', 'Passage 2'],
  rankPassages: ['[2] > [1] > [3]'],
  scoreAnswer: ['0.2', '0.9'],
  verifyClassify: ['[YES]', '[NO]'],
  verifyScore: ['[1]', '[4]'],
  selectDocuments: ['Selected passages: 1 3', 'Selected passages: 2'],
  followUp: ['Follow up: Who filed first?\nSo the final answer is: Bell'],
  selfAsk: ['So the final answer is: Bell'],
  reason: ['It is so.\nAnswer: Bell'],
  takeNotes: ['Note 1 (relevant): Bell did.\nAnswer: Bell'],
  nextSubQuery: ['Who filed first?', 'Who was Reis?', 'When was it?'],
  answerSubQuery: ['Bell', 'No relevant information found'],
  ratePath: ['2', '7'],
  classifyQuestion: ['None', 'Single', 'Multi'],
  rewriteQuestion: ['1. Bell patent\n2. Reis telephone', 'Bell'],
  decomposeQuestion: ['1. Who filed first?\n2. Where was #1 born?', 'None'],
  answerSubQuestion: ['Bell [2]', 'unknown', 'Reis [1][9]'],
  think: [
    '<search> Who filed first? </search>',
    '<answer> Bell </answer> and so on',
    'Well.',
    '<|begin_search_query|> Bell <|end_search_query|>',
    '\\boxed{Bell}',
  ],
  act: ['Bell did.\nAction 1: search[Bell]', 'So.\nAction 1: finish[Bell]', 'Action: look[x]'],
  readInDocuments: ['Final Information\nBell filed first.'],
  nextThought: ['Thought: Bell filed first.', 'Answer: Bell'],
};

/** Says what chance decides, after a time that it decides, and now and then nothing readable. */
export function drawnModel(): LanguageModel {
  let calls = 0;
  return modelThatSays(async ({ prompt, step }) => {
    const chance = drawn(`${step} ${prompt}`);
    await sleep(drawn(`${calls++}`) * 5);
    const said = SAID[step] ?? ['Bell', `It is Bell, as told by ${chance}.`];
    return {
      text: chance < 0.1 ? '' : (said[Math.floor(chance * said.length)] ?? ''),
      cut: chance > 0.95,
      usage: tokens(100, 7, 5),
      costUsd: 0.25,
      servedModel: chance < 0.5 ? 'drawn-a' : 'drawn-b',
    };
  });
}
