/** What is to be typed next, on the task queue that a command was typed with. Pure. */
import type { Reporter } from '../temporal-dev/reporter.js';

/** The commands that there are: a sentence may have "durable-rag" without one. */
const COMMANDS = [
  ...['ask', 'attach', 'cancel', 'clusters', 'codec-server', 'compare', 'corpora'],
  ...['datasets', 'demo'],
  ...['deploy', 'dev', 'eval', 'export', 'index', 'limits', 'methods', 'pause', 'report', 'resume'],
  ...['retry', 'runs', 'schedule', 'set', 'status', 'store', 'train-data', 'worker'],
];

const COMMAND = new RegExp(`\\bdurable-rag (?=(?:${COMMANDS.join('|')})(?![\\w-]))`, 'g');

/** The commands in a text, each with the queue; as they are where none was typed. */
export function onQueue(text: string, taskQueue: string | undefined): string {
  if (taskQueue === undefined) return text;
  const name = /^[\w./:-]+$/.test(taskQueue)
    ? taskQueue
    : `'${taskQueue.replaceAll("'", `'\\''`)}'`;
  return text.replace(COMMAND, () => `durable-rag --task-queue ${name} `);
}

/** A value as JSON has it, with the commands in its fields `next` on the queue. */
export function nextOnQueue(value: unknown, taskQueue: string | undefined): unknown {
  if (taskQueue === undefined || typeof value !== 'object' || value === null) return value;
  return JSON.parse(JSON.stringify(value), (key, field) =>
    key === 'next' && typeof field === 'string' ? onQueue(field, taskQueue) : field,
  );
}

/** A reporter whose lines name the queue in their commands. */
export function reporterOnQueue(reporter: Reporter, taskQueue: string | undefined): Reporter {
  if (taskQueue === undefined) return reporter;
  return {
    part: (name, text) => reporter.part(name, onQueue(text, taskQueue)),
    warn: (text, fields) => reporter.warn(onQueue(text, taskQueue), fields),
    progress: (label, total) => reporter.progress(label, total),
  };
}
