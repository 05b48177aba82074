/** Declares `durable-rag demo`, `ask` and the other commands for a first try. */
import { z } from 'zod';
import { completionScript, SHELLS } from '../completion.js';
import { defineCommand } from '../define-command.js';
import { askFlags } from '../inputs.js';
import { print } from '../print.js';
import { toggle, yesFetch } from './fields.js';

export const start = [
  defineCommand({
    name: 'demo',
    does: 'set up what is missing and ask one question of the sample corpus',
    takes: z.object({ yes: yesFetch }),
    json: 'the whole result as JSON',
    run: async (given, context) => (await import('../demo.js')).demo(given, context),
  }),
  defineCommand({
    name: 'ask',
    does: 'answer a question',
    takes: z.object({ question: z.string() }),
    input: askFlags,
    inputFile: 'models by step, passages, limits',
    settings: ['DURABLE_RAG_SEARCH'],
    json: 'the whole result as JSON',
    examples: [
      'durable-rag ask "Who invented the telephone?"',
      'durable-rag ask "Who invented the telephone?" --method allies --option depth=1 --json',
    ],
    run: async ({ question }, context, typed) =>
      (await import('../ask.js')).ask(question, await typed.input(), context),
  }),
  defineCommand({
    name: 'methods',
    does: 'list the methods, or tell all of one: options, steps, cost, reported figures',
    takes: z.object({
      method: z.string().optional().describe('only this one, and where it is told in full'),
    }),
    run: async ({ method }, context) =>
      (await import('../methods.js')).showMethods(method, context),
  }),
  defineCommand({
    name: 'doctor',
    does: 'say what is there, what is missing or would be fetched, and how to mend it',
    takes: z.object({
      probe: toggle('--probe', 'ask the configured endpoint one small call of each kind'),
    }),
    tellsUnknown: true,
    run: async (given, context) => (await import('../doctor.js')).doctor(given, context),
  }),
  defineCommand({
    name: 'completion',
    does: 'print what a shell needs to complete commands, flags and their values',
    takes: z.object({ shell: z.enum(SHELLS) }),
    json: 'errors as JSON',
    after: `
Turn it on:
  bash  echo 'source <(durable-rag completion bash)' >> ~/.bashrc
  zsh   echo 'source <(durable-rag completion zsh)' >> ~/.zshrc, below compinit
  fish  durable-rag completion fish > ~/.config/fish/completions/durable-rag.fish`,
    run: ({ shell }, _, { program }) => {
      print(completionScript(program, shell));
      return {};
    },
  }),
];
