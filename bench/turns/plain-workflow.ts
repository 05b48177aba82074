/** An agent as Temporal workflows are usually written: it keeps the messages, and hands them to each call. */
import { proxyActivities } from '@temporalio/workflow';
import type { Message, steps } from './plain-worker.js';

const { askModel, search } = proxyActivities<typeof steps>({ startToCloseTimeout: '330s' });

export async function plainAgent(question: string, turns: number): Promise<string> {
  const messages: Message[] = [
    { role: 'user', content: `Search between <search> tags as you think.\n\n${question}` },
  ];
  for (let turn = 1; turn <= turns; turn++) {
    const reply = await askModel(messages);
    const [, query] = /<search>(.*?)<\/search>/s.exec(reply) ?? [];
    if (query === undefined) return reply;
    const passages = await search(query);
    const content = passages.map(({ title, text }) => `${title}\n${text}`).join('\n');
    messages.push({ role: 'assistant', content: reply }, { role: 'user', content });
  }
  return '';
}
