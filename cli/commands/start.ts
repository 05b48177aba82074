/** Declares `durable-rag demo`, `ask` and the other commands for a first try. */
import { z } from 'zod';
import { completionScript, SHELLS } from '../completion.js';
import { defineCommand } from '../define-command.js';
import { askFlags } from '../inputs.js';
import { print } from '../print.js';
import { toggleFlag, yesFetch } from './common-flags.js';

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
    does: 'list the methods, or describe one: options, steps, cost, reported figures',
    takes: z.object({
      method: z.string().optional().describe('the method to describe'),
    }),
    run: async ({ method }, context) =>
      (await import('../methods.js')).showMethods(method, context),
  }),
  defineCommand({
    name: 'doctor',
    does: 'check the setup: what is installed, what is missing or would be fetched, and how to fix it',
    takes: z.object({
      probe: toggleFlag('--probe', 'make one small call of each kind to the configured endpoint'),
    }),
    tellsUnknown: true,
    run: async (given, context) => (await import('../doctor.js')).doctor(given, context),
  }),
  defineCommand({
    name: 'completion',
    does: 'print a shell script that completes commands, flags and their values',
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
