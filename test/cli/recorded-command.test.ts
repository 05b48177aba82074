/** The command line that a run keeps: as a shell takes it, and without what is secret. */
import { expect, it } from 'vitest';
import { withCommandLine } from '../../cli/recorded-command.js';

const typed = (words: string[], env: NodeJS.ProcessEnv = {}) =>
  withCommandLine({}, { words, env }) as { command?: string };

it('is what was typed, quoted', () => {
  expect(typed(['eval', '--method', 'sure', '--dataset', "it's mine.jsonl"]).command).toBe(
    `durable-rag eval --method sure --dataset 'it'\\''s mine.jsonl'`,
  );
});

it.each([
  [['eval', '--base-url', 'https://me:geheim1234@host/v1'], {}, 'geheim1234'],
  [['eval', '--base-url', 'https://host/v1?api_key=geheim1234'], {}, 'geheim1234'],
  [['eval', '--extra-body', '{"x":"geheim1234"}'], { OPENAI_API_KEY: 'geheim1234' }, 'geheim1234'],
  [['eval', '--model', 'sk-proj-abcdefghijklmnopqrstuvwx1234'], {}, 'abcdefghijklmnop'],
])('holds no secret of %j', (words, env, secret) => {
  const { command = '' } = typed(words, env);
  expect(command).toContain('durable-rag eval');
  expect(command).not.toContain(secret);
});

it('stays as it was for a run that is asked again, and is none for a program', () => {
  const kept = { command: 'durable-rag eval' };
  expect(withCommandLine(kept, { words: ['retry', 'r'], env: {} })).toBe(kept);
  expect(withCommandLine({}, { env: {} })).toEqual({});
});
