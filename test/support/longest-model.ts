/** A model whose outputs are as long as each step allows, and which never ends a method early. */
import type { CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import { currentStep, type ScriptedStep } from '../../testing/scripted-model.js';

export interface Sent {
  step: ScriptedStep;
  prompt: string;
  maxTokens: number;
}

export interface LongestModel extends LanguageModel {
  readonly sent: Sent[];
}

/** Begins the longest of several queries. */
const LONGEST = 'Longest';

/** Four characters a token, as estimates count them. */
const CHARACTERS = 4;

export function longestModel(): LongestModel {
  const sent: Sent[] = [];
  return {
    provider: 'longest',
    sent,
    async complete({ messages, maxTokens }: CompletionRequest) {
      const prompt = messages.map(({ content }) => content).join('\n');
      const step = currentStep();
      sent.push({ step, prompt, maxTokens });
      const text = replyOf(step, prompt, CHARACTERS * maxTokens, sent.length);
      if (text.length > CHARACTERS * maxTokens) throw new Error(`${step} says too much`);
      return {
        text,
        cut: false,
        usage: { promptTokens: 1, cachedPromptTokens: 0, completionTokens: 1 },
        costUsd: 0,
        servedModel: 'longest',
        fingerprint: null,
      };
    },
  };
}

/** @param call Makes texts differ from one another. */
function replyOf(step: ScriptedStep, prompt: string, room: number, call: number): string {
  const asked = (pattern: RegExp) => Number(pattern.exec(prompt)?.[1] ?? 1);
  switch (step) {
    case 'generateCandidates': {
      const count = asked(/name (\d+) different/);
      return items(
        count,
        room,
        (i, length) => `(${letter(i)}) ${words(length - 6, call + i)}`,
        ', ',
      );
    }
    case 'summarize':
    case 'summarizeGeneric':
      return `${words(room - 7, call)} [DONE]`;
    case 'validate':
      return 'True';
    case 'rankPair':
      return 'Passage 1';
    case 'choose':
      return '(a)';
    case 'rankPassages':
      return '[2] > [1]';
    case 'infer':
      return 'INSUFFICIENT';
    case 'reason':
    case 'thinkAndAnswer':
    case 'metaReason':
      return `Answer: ${words(room - 10, call)}`;
    case 'nameConditions':
      return 'patent\ntelephone\nfirst';
    case 'nextThought':
      return `Thought: ${words(room - 10, call)}`;
    case 'followUp':
      return `Follow up: ${words(room - 90, call)}?\nSo the final answer is: ${words(40, call)}`;
    case 'selfAsk':
      return `${items(
        asked(/at most (\d+)/),
        room - 80,
        (i, length) =>
          `Follow up: ${words(length / 2 - 14, call + i)}?\nIntermediate answer: ${words(length / 2 - 24, i)}`,
        '\n',
      )}\nSo the final answer is: ${words(40, call)}`;
    case 'takeNotes':
      return `${items(
        prompt.match(/^<passage number/gm)?.length ?? 1,
        room - 20,
        (i, length) => `Note ${i + 1} (contextual): ${words(length - 26, i)}`,
        '\n',
      )}\nAnswer: Bell`;
    case 'takeNote':
      return `(contextual) ${words(room - 13, call)}`;
    case 'scoreAnswer':
      return prompt.slice(prompt.lastIndexOf('Query: ')).includes(LONGEST) ? '0.6' : '0.1';
    case 'askSubQueries': {
      // The first is as long as it can be, and what comes of it is kept.
      const others = Array.from(
        { length: asked(/write at most (\d+)/) - 1 },
        (_, i) => `${i + 2}. Who is n${call}${i}?`,
      ).join('\n');
      return `1. ${LONGEST} ${words(room - others.length - 18, call)}?\n${others}`;
    }
    case 'selectDocuments':
      return 'Selected passages: 1 2 3 4 5';
    case 'verifyClassify':
      return '[NO]';
    case 'verifyScore':
      return '[1]';
    case 'checkClaim':
      return 'True';
    case 'answerWithCitations': {
      const list = /separate|list/i.test(prompt) && !/sentences/i.test(prompt);
      return list
        ? items(Math.floor(room / 40), room, (i) => `${words(26, 100 * call + i)} [1]`, ', ')
        : items(
            Math.floor(room / 84),
            room,
            (i) => `W${words(65, 100 * call + i)} [1][2][3].`,
            ' ',
          );
    }
    case 'judgeClaim':
      return /<passage number="3">/.test(prompt) ? 'Yes' : 'No';
    default:
      return words(room, call);
  }
}

function items(
  count: number,
  room: number,
  make: (i: number, length: number) => string,
  between: string,
): string {
  const length = Math.floor(room / count) - between.length;
  return Array.from({ length: count }, (_, i) => make(i, length)).join(between);
}

function letter(i: number): string {
  return String.fromCharCode(97 + i);
}

/**
 * Words of together so many characters, which begin with a number of their own. Long ones: an answer
 * of many words is none.
 */
function words(length: number, number: number): string {
  const word = `${'word'.repeat(15)} `;
  const text = `n${number} word ${word.repeat(Math.ceil(Math.max(0, length) / word.length))}`;
  return `${text.slice(0, Math.max(2, Math.floor(length) - 1))}s`.replace(/ s$/, 'ws');
}
