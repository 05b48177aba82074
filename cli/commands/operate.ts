/** Declares `durable-rag worker`, `dev` and the other commands that run or limit the workers. */
import { z } from 'zod';
import { tenantName } from '../../core/tenants.js';
import { defineCommand } from '../define-command.js';
import { limitFlags } from '../inputs.js';
import { dayFlag, flagged, portFlag, textFlag, toggleFlag, yesFetch } from './common-flags.js';

const deploying = () => import('../deploy/deploy.js');

export const operate = [
  defineCommand({
    name: 'dev',
    does: 'run Temporal, a model and a worker on this machine until Ctrl-C',
    takes: z.object({ yes: yesFetch }),
    settings: ['DURABLE_RAG_SEARCH', 'DURABLE_RAG_LOG_FORMAT'],
    json: 'the log as JSON, one object per line',
    log: 'text',
    run: async (given, context) => (await import('../dev.js')).dev(given, context),
  }),
  defineCommand({
    name: 'worker',
    does: 'run a worker for the configured Temporal and model until Ctrl-C',
    settings: [
      'DURABLE_RAG_ONLY',
      'DURABLE_RAG_CONCURRENCY',
      'DURABLE_RAG_VERSIONED',
      'DURABLE_RAG_SEARCH',
      'DURABLE_RAG_HTTP',
      'DURABLE_RAG_LOG_FORMAT',
    ],
    tellsUnknown: true,
    json: 'the log as JSON, one object per line',
    // A worker's log is for programs.
    log: 'json',
    run: async (_, context) => (await import('../worker.js')).worker(context),
  }),
  defineCommand({
    name: 'limits',
    does: 'show or set the rate limits of the model calls of the task queue',
    input: limitFlags,
    run: async (_, context, typed) =>
      (await import('../run/limits.js')).setOrShowLimits(await typed.input(), context),
  }),
  defineCommand({
    name: 'usage',
    does: 'show the tokens and cost of calls, by tenant or by day (UTC)',
    takes: z.object({
      by: flagged('--by <what>', 'rows of the table', z.enum(['tenant', 'day'])).default('tenant'),
      tenant: flagged('--tenant <name>', 'only this tenant', tenantName.optional()),
      from: dayFlag('--from', 'first day'),
      to: dayFlag('--to', 'last day'),
    }),
    run: async (given, context) => (await import('../usage.js')).usage(given, context),
  }),
  defineCommand({
    name: 'deploy',
    does: 'manage versions of the workers; a question stays on the version that it started on',
  }),
  defineCommand({
    name: 'deploy status',
    does: 'list the versions, with their running questions and workers',
    run: async (_, context) => (await deploying()).deployStatus(context),
  }),
  defineCommand({
    name: 'deploy promote',
    does: 'start new questions on a version',
    takes: z.object({
      version: z.string().optional().describe('default: the newest version with workers'),
      unversioned: toggleFlag('--unversioned', 'go back to workers that are not versioned'),
      percentage: flagged(
        '--percentage <n>',
        'per cent of new questions that start on it; 0 withdraws it',
        z.number().min(0).max(100).optional(),
      ),
    }),
    run: async ({ version, ...how }, context) =>
      (await deploying()).deployPromote(version, how, context),
  }),
  defineCommand({
    name: 'codec-server',
    does: 'decrypt payloads for the Temporal UI of this machine',
    takes: z.object({
      port: portFlag('on 127.0.0.1').default(8234),
      origin: textFlag('--origin <url>', 'origin of the UI')
        .optional()
        .meta({ otherwise: 'that of the local stack, or DURABLE_RAG_UI_URL' }),
    }),
    json: 'the log as JSON, one object per line',
    log: 'text',
    run: async (given, context) => (await import('../codec-server.js')).codecServer(given, context),
  }),
];
