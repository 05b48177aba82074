/** The steps of notes, reasoning, sub-queries and claims: what is no answer, and what is half of one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNotedAnswer } from '../../steps/answer-from-notes/implementation.js';
import { parseSubQueries } from '../../steps/ask-sub-queries/implementation.js';
import { parseClaimVerdict } from '../../steps/check-claim/implementation.js';
import { parseEvidence } from '../../steps/condense-evidence/implementation.js';
import type { ModelOutput } from '../../steps/define.js';
import { parseNext } from '../../steps/follow-up/implementation.js';
import { parseInference } from '../../steps/infer/implementation.js';
import { judgeClaim } from '../../steps/judge-claim/implementation.js';
import {
  parseNewPassage,
  parseNewQuestion,
} from '../../steps/missing-info-query/implementation.js';
import { parseReading } from '../../steps/read/implementation.js';
import { parseReasoned } from '../../steps/reason/implementation.js';
import { parseChain } from '../../steps/self-ask/implementation.js';
import { parseNote } from '../../steps/take-note/implementation.js';
import { takeNotes } from '../../steps/take-notes/implementation.js';
import { parseNotes } from '../../steps/take-notes/read-notes.js';
import { decorations, hostile } from './reading/support.js';

const whole = (text: string): ModelOutput => ({ text, cut: false });
const cut = (text: string): ModelOutput => ({ text, cut: true });

describe('takeNotes', () => {
  const input = { question: 'q', passages: ['p1', 'p2', 'p3'], examples: false };
  const read = (output: ModelOutput) => takeNotes.parse(output, input)?.answer;

  it.each<[string, string | null | undefined]>([
    ['Note 1 (relevant): Bell.\nNote 2 (irrelevant): Rivers.\nAnswer: Bell', 'Bell'],
    ['1. Note 1 (relevant): Bell.\n2. Note 2: Rivers.\n3. Answer: Bell', 'Bell'],
    ['Answer: Bell\n\nNote 1 (relevant): It names Bell.\nNote 2: Rivers.', 'Bell'],
    ['Note 1: It names Bell. Answer: Bell', 'Bell'],
    ['Note 1 (relevant, contextual or irrelevant): It names Bell.\nAnswer: Bell', 'Bell'],
    ['Note 1 (relevant, contextual or irrelevant): It names Bell.', undefined],
    ['Note 1: It names Bell.\n\n### Answer\nBell', 'Bell'],
    ['Note 1: It names Bell.\nFinal answer = Bell', 'Bell'],
    ['Note 1: It names Bell.\nThe answer is Bell. He filed first.', 'Bell'],
    ['Note 1: It names Bell.\nThe answer is not Gray but Bell.', 'Bell'],
    ['Note 1: Bell.\nBased on the notes, the most likely answer is Bell.', 'Bell'],
    [
      'Note 1: Rivers.\nThe answer is not mentioned in the passages.',
      'not mentioned in the passages',
    ],
    ['Note 1: Bell. So it was Bell.', 'Bell'],
    // The words of one note are not the answer.
    ['Note 1: The passage says that the answer is 1996.\nNote 2: Rivers.', undefined],
    ['Note 1: So the answer is 1996.\nNote 2: It says 1998.', undefined],
    ['Note 1: Bell. Answer: Bell\nNote 2: Gray. Answer: Gray\nNote 3: Answer: Meucci', undefined],
    ['Note 1: Bell.\nAnswer: Bell\nNote 2: Rivers.', undefined],
    ['Note 1: Bell.\nThe answer is not Gray.', undefined],
    ['Note 1: Bell.\nThe answer is likely to be found in passage 3.', undefined],
    ['Note 1: Bell.\nAnswer: (a)', undefined],
    ['Note 1: Bell.\nAnswer: ...', undefined],
  ])('reads the answer of %j as %j', (text, answer) => {
    expect(read(whole(text))).toBe(answer);
  });

  it.each([
    'Note 1 (relevant): The last ones were in 1996, so the answer is 1996.\nNote 2 (rele',
    'Note 1 (relevant): Based on this passage, the answer is 1996. Note 2',
    'Note 1 (relevant): The answer is 1996.\nNote 2 (irrelevant): This is about rivers and',
    'Note 1: Bell.\nNote 2: Rivers.\nAnswer: Alexander Gra',
    'Note 1: Bell.\nNote 2: Rivers.\nAnswer:',
    'Note 1: Bell.\nNote 2: Rivers.\nBased on the notes, the answer is Alexander',
    'Note 1: Bell. Answer: Bell.\nNote 2: Gray. Answer: Gr',
  ])('takes no answer from %j, which was cut', (text) => {
    expect(read(cut(text))).toBeUndefined();
    expect(takeNotes.fallback(cut(text), input).answer).toBeNull();
  });

  it('keeps an answer whose line is whole, and the whole sentences of the notes', () => {
    expect(read(cut('Note 1: Bell.\nAnswer: Bell\nThis follows from no'))).toBe('Bell');
    const { notes } = parseNotes(cut('Note 1: A.\nNote 2 (relevant): B is. It was in 18'), 3);
    expect(notes).toEqual([{ text: 'A.', type: null }, { text: 'B is.', type: 'relevant' }, null]);
  });

  it('takes no bare answer from what was cut', () => {
    expect(takeNotes.fallback(whole('Alexander Bell'), input).answer).toBe('Alexander Bell');
    expect(takeNotes.fallback(cut('Alexander Be'), input).answer).toBeNull();
  });
});

describe('parseNote', () => {
  it.each([
    'Relevant if the passage answers the question, Contextual if it does not but helps to work the answer out, Irrelevant if it does neither.',
    "I'm sorry, but I can't help with that.",
    'I cannot provide a note on this.',
    'As an AI language model, I have no access to passages.',
    'Relevant: It names the place.\n\nContextual: It tells of the time.\n\nIrrelevant: It does not name the author.',
    '- **Relevant**: the bridge is named.\n- **Irrelevant**: its builder is not.',
  ])('takes %j for no note', (text) => {
    expect(parseNote(whole(text))).toBeUndefined();
  });
  it('takes paragraphs under one type for one note', () => {
    expect(parseNote(whole('Relevant: It names Bell.\nRelevant: It names the year.'))?.type).toBe(
      'relevant',
    );
    expect(parseNote(whole('Relevant: It names Bell.\nThe rest is irrelevant.'))?.type).toBe(
      'relevant',
    );
  });
  it('reads the type that a sentence of its own states', () => {
    expect(parseNote(whole('This passage is Contextual. It names the year.'))?.type).toBe(
      'contextual',
    );
  });
  it('keeps whole sentences of a note that was cut', () => {
    expect(parseNote(cut('Relevant: It names Bell. It was in'))).toEqual({
      text: 'It names Bell.',
      type: 'relevant',
    });
    expect(parseNote(cut('Relevant: It names Alexander Gr'))).toBeUndefined();
    expect(parseNote(cut('It is not'))).toBeUndefined();
  });
});

describe('parseNotedAnswer', () => {
  it.each<[ModelOutput, string | undefined]>([
    [whole('Based on the notes, the answer is Bell.'), 'Bell'],
    [whole('Note 1 says so. Therefore, it was Bell.'), 'Bell'],
    [whole('```\nAnswer: Bell\n```'), 'Bell'],
    [cut('Based on the notes, the answer to the'), undefined],
    [cut('Based on the notes, the answer is Alexander'), undefined],
    [cut('Bell\n\nThis follows from'), 'Bell'],
    [cut('Answer: Bell\nThis follows from'), 'Bell'],
  ])('reads %j as %j', (output, answer) => {
    expect(parseNotedAnswer(output)).toBe(answer);
  });
});

describe('parseInference', () => {
  it.each<[string, string | null | undefined]>([
    ['Based on the passage, INSUFFICIENT', null],
    ['Based on the passages above: INSUFFICIENT.', null],
    ['INSUFFICIENT_INFORMATION', null],
    ['[INSUFFICIENT]', null],
    ['"INSUFFICIENT"', null],
    ['Answer: INSUFFICIENT', null],
    ['The answer is INSUFFICIENT.', null],
    ['INSUFFICIENT EVIDENCE', null],
    ['INSUFFICIENT\n\nThe passages do not say who it was.', null],
    ['The passages are insufficient to answer the question.', null],
    ['There is not enough information in the passages.', null],
    ['Insufficient data', null],
    [
      'The passages do not name the year, but it was 1876',
      'The passages do not name the year, but it was 1876',
    ],
    ['Based on passage 1, the answer is Bell.', 'Bell'],
    ['<answer>INSUFFICIENT</answer>', null],
    ['\\boxed{INSUFFICIENT}', null],
    ['I need more passages.', null],
    ['SUFFICIENT', undefined],
    ['Bell\n\nINSUFFICIENT', undefined],
    ['Bell (INSUFFICIENT)', undefined],
    ['```\nBell\n```', 'Bell'],
    ['A More Perfect Union', 'A More Perfect Union'],
  ])('reads %j as %j', (text, reading) => {
    expect(parseInference(whole(text))).toBe(reading);
  });

  it('takes nothing from half a line', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('INSUFFICIENT', 'Insufficient information', 'The passages do not say it'),
        fc.nat(),
        (form, at) => {
          expect(parseInference(cut(form.slice(0, at % form.length)))).toBeUndefined();
        },
      ),
    );
    expect(parseInference(cut('Bell\nHe was the first to'))).toBe('Bell');
    expect(parseInference(cut('INSUFFICIENT\nThe passages'))).toBeNull();
  });
});

describe('parseReasoned', () => {
  it.each<[string, string | undefined]>([
    ['the answer is not Lyon. So it is Paris.', 'Paris'],
    ['The answer is not Lyon but Paris.', 'Paris'],
    ['The answer is not Lyon, but rather Paris.', 'Paris'],
    ['It was Lyon first. The answer is not Lyon.', undefined],
    ['Some say Lyon. Therefore, it must be Paris.', 'Paris'],
    ['Lyon is large. So it is not Lyon.', undefined],
    ['The answer is likely to be found in passage 3.', undefined],
    ['The answer is found in passage 3, which names Paris.', undefined],
    ['The answer is in the second passage.', undefined],
    ['The answer is likely Paris.', 'Paris'],
    ['The answer is therefore Paris.', 'Paris'],
    ['Based on this, the answer would be "Paris".', 'Paris'],
    ['The answer is not mentioned in the passages.', 'not mentioned in the passages'],
    ['The answer is correct.', undefined],
    ['The answer is as follows:\nAnswer: Paris', 'Paris'],
    ['Let us think.\n\n## Answer\nParis', 'Paris'],
    ['Let us think.\n\n**Final Answer:**\n\nParis', 'Paris'],
    ['Step 1: think.\n2. Answer: Paris', 'Paris'],
    ['Not Guilty is a song.\nAnswer: Not Guilty', 'Not Guilty'],
  ])('reads the answer of %j as %j', (text, answer) => {
    expect(parseReasoned(whole(text))?.answer).toBe(answer);
  });

  it.each<[string, string | undefined]>([
    ['The answer is likely to be found in passage 3 which says that', undefined],
    ['Lyon is large, so the answer is Lyon. But then', undefined],
    ['Reasoning: so the answer is Par', undefined],
    ['Lyon is large.\nAnswer: Saint-', undefined],
    ['Answer: Lyon\nBut wait.\nAnswer: Par', undefined],
    ['So it is Paris.', undefined],
    ['It is large.\nAnswer: Paris\nExplanation: it is the', 'Paris'],
  ])('reads the answer of %j, which was cut, as %j', (text, answer) => {
    expect(parseReasoned(cut(text))?.answer).toBe(answer);
  });
});

describe('parseSubQueries', () => {
  const both = ['Who invented it?', 'When was it?'];
  it.each<[string, string[] | undefined]>([
    ['Ranked Questions: 1. Who invented it?\n2. When was it?', both],
    ['Ranked Questions: 1. Who invented it? 2. When was it?', both],
    ['Here are the sub-questions: 1. Who invented it?\n2. When was it?', both],
    ['Ranked Sub-questions:\n\n1. Who invented it?\n\n2. When was it?', both],
    ['**Ranked Questions:** (1) Who invented it? (2) When was it?', both],
    ['1. **Who invented it?**\n   Helps to find the person.\n2. **When was it?**', both],
    ['Sub-question 1 - Who invented it?\nSub-question 2 - When was it?', both],
    ['I would ask:\n- Who invented it?\n- When was it?', both],
    ['{"questions": ["Who invented it?", "When was it?"]}', both],
    ['1. Who invented it?\n2. None', ['Who invented it?']],
    ['Ranked Questions: 1. Who ...?\n2. When ...?', ['Who ...?', 'When ...?']],
    ['1.Who invented it?\n2.When was it?', both],
    ['１．Who invented it?\n２．When was it?', both],
    ['1、Who invented it?\n2、When was it?', both],
    ['Ranked Questions: Who invented it?; When was it?', both],
    ['1. Who invented it? Bell\n2. When was it? 1876.', both],
    ['[{"question": "Who invented it?"}, {"question": "When was it?"}]', both],
    ['1. [sub-question]\n2. [sub-question]', undefined],
    ['1. The evidence is sufficient to answer the question.', undefined],
    ['The question can already be answered.', undefined],
    ['1. None', undefined],
    ['None', undefined],
    ['Ranked Questions: None.', undefined],
    ['1. No further questions are needed.', undefined],
    ['1. N/A\n2. N/A', undefined],
    ["I'm sorry, but I can't help with that.", undefined],
    ['1. I cannot provide sub-questions.', undefined],
    ['1. Nothing Else Matters: who wrote it?', ['Nothing Else Matters: who wrote it?']],
  ])('reads %j', (text, queries) => {
    expect(parseSubQueries(whole(text))).toEqual(queries);
  });
  it('leaves out the question that was cut', () => {
    expect(parseSubQueries(cut('Ranked Questions: 1. Who invented it?\n2. When'))).toEqual([
      'Who invented it?',
    ]);
    expect(parseSubQueries(cut('Who invented'))).toBeUndefined();
    expect(parseSubQueries(cut('["Who invented it?", "When w'))).toEqual(['Who invented it?']);
  });
});

describe('chains', () => {
  it('take no half line for a final answer, and no negation for its opposite', () => {
    const asked = 'Follow up: When?\nIntermediate answer: In 1876\n';
    expect(parseChain(cut(`${asked}So the final answer is: Alexander Gr`))).toBeUndefined();
    expect(parseChain(cut(`${asked}So the final answer is: Bell\nI ho`))?.answer).toBe('Bell');
    expect(parseChain(whole(`${asked}So the final answer is not Gray.`))).toBeUndefined();
    expect(parseChain(whole(`${asked}So the final answer is not Gray but Bell.`))?.answer).toBe(
      'Bell',
    );
    expect(parseNext(whole('The answer is not Gray.'), true)).toBeUndefined();
    expect(parseNext(cut('So the final answer is: Alexander'), true)).toBeUndefined();
    expect(parseNext(whole('Follow up: None needed.\nAnswer: Bell'), false)).toEqual({
      answer: 'Bell',
    });
  });
});

describe('claims', () => {
  it.each<[string, ReturnType<typeof parseClaimVerdict>]>([
    ['It is true that Bell was born in Edinburgh.', 'supports'],
    ['It is not true that Bell was born in Edinburgh.', 'refutes'],
    ['It is true that he was born in Edinburgh, but not in 1850.', undefined],
    ['True, but only in part.', undefined],
    ['Partly true', undefined],
    ['Partially true.', undefined],
    ['Mostly true', undefined],
    ['It may be true.', undefined],
    ['The claim is neither true nor false.', undefined],
    ['Verdict: **False**', 'refutes'],
    ['The claim is true.\n\nVerdict: True', 'supports'],
    ['The passages do not contain enough information to verify the claim.', 'unknown'],
    ['Unknown', 'unknown'],
    ['Cannot be determined from the passages', 'unknown'],
    ['True. There is no evidence against it.', 'supports'],
    ['False, as there is no evidence of it.', 'refutes'],
  ])('reads %j as %j', (text, verdict) => {
    expect(parseClaimVerdict(whole(text))).toBe(verdict);
  });

  it.each<[string, ReturnType<typeof parseClaimVerdict>]>([
    ['It is true that Bell was born in Edinburgh,', undefined],
    ['It is true that Bell was born in Edinburgh', undefined],
    ['The claim is true', undefined],
    ['Not', undefined],
    ['There is not enough information to', undefined],
    ['Tr', undefined],
    ['True or', undefined],
    ['False. Although it is true that he was', 'refutes'],
    ['True.\nThe passages', 'supports'],
    ['Not enough information. The', 'unknown'],
  ])('reads %j, which was cut, as %j', (text, verdict) => {
    expect(parseClaimVerdict(cut(text))).toBe(verdict);
  });

  it.each<[ModelOutput, boolean | undefined]>([
    [whole('Yes'), true],
    [whole('No.'), false],
    [whole('**Verdict:** Yes'), true],
    [whole('The passages do not bear out the claim'), undefined],
    [whole('Yes or No'), undefined],
    [whole('Partially'), undefined],
    [whole('Yes, partially.'), undefined],
    [whole('Yes, in part'), undefined],
    [whole('Yes, passage 1 does'), true],
    [cut('No single passage bears out the claim, but taken together they'), undefined],
    [cut('Yes, since passage 1 says that'), true],
    [cut('It is true that Bell was born in Edinburgh,'), undefined],
  ])('judges %j as %j', (output, entailed) => {
    const input = { claim: 'c', premise: ['p1'] };
    expect(judgeClaim.parse(output, input)).toBe(entailed);
  });
});

describe('what is no query and no evidence', () => {
  it.each([
    'None',
    'None.',
    'N/A',
    'Nothing is missing.',
    'No missing information',
    'There is no missing information.',
    'No further question is needed',
    'New question: None',
    "I'm sorry, but I can't assist with that.",
    'I cannot write a passage on this.',
    'As an AI, I do not know.',
    'The passages already answer the question.',
    'All information is available.',
    'The passages contain all the information needed.',
  ])('%j is neither a question nor a passage', (text) => {
    expect(parseNewQuestion(whole(text))).toBeUndefined();
    expect(parseNewPassage(whole(text))).toBeUndefined();
  });
  it('takes the whole lines of a question, and the whole sentences of a passage', () => {
    expect(parseNewQuestion(cut('When did Elisha Gr'))).toBeUndefined();
    expect(parseNewQuestion(cut('When did Gray file?\nThe passages'))).toBe('When did Gray file?');
    expect(parseNewPassage(cut('Gray filed in 1876. He was not'))).toBe('Gray filed in 1876.');
    expect(parseNewPassage(cut('Gray filed'))).toBe('Gray filed');
  });
  it.each<[ModelOutput, string | undefined]>([
    [whole('None'), ''],
    [whole('Relevant information: None.'), ''],
    [whole('There is no relevant information in the passages.'), ''],
    [whole("I'm sorry, but I can't help with that."), undefined],
    [whole('Here is the relevant information:\n\n- One.'), '- One.'],
    [whole('Sure! Here is the relevant information:\n\nOne.'), 'One.'],
    [cut('It was granted in 1876. It was not'), 'It was granted in 1876.'],
    [cut('It was not'), undefined],
  ])('reads the evidence of %j as %j', (output, evidence) => {
    expect(parseEvidence(output)).toBe(evidence);
  });
});

describe('decoration', () => {
  const notes = 'Note 1 (relevant): It names Bell.\nNote 2 (irrelevant): Rivers.\nAnswer: Bell';
  const reasoning = 'Reasoning: It was first.\nAnswer: Bell';
  const chain =
    'Follow up: Who was first?\nIntermediate answer: Bell\nSo the final answer is: Bell';
  const parsers: [string, (output: ModelOutput) => unknown, string[]][] = [
    ['notes', (output) => parseNotes(output, 3), [notes]],
    ['a reading', ({ text }) => parseReading(text), ['Bell', '1876', 'Washington, D.C.']],
    ['a noted answer', parseNotedAnswer, ['Bell', 'Answer: Bell']],
    ['an inference', parseInference, ['Bell', 'INSUFFICIENT', 'The passages do not say.']],
    ['reasoning', (output) => parseReasoned(output)?.answer, [reasoning, 'So it is Bell.']],
    ['a chain', parseChain, [chain]],
    ['the next', (output) => parseNext(output, false), ['Follow up: Who was first?']],
    ['a claim', parseClaimVerdict, ['True', 'False.', 'Not enough information', 'Partly true']],
    ['sub-queries', parseSubQueries, ['1. Who?\n2. When?', 'Who was it?\nWhen was it?']],
    ['a new question', parseNewQuestion, ['When did Gray file?']],
  ];
  it.each(parsers)('changes nothing of %s', (_, parse, texts) => {
    for (const text of texts) {
      const plain = parse(whole(text));
      for (const decorated of decorations(text)) {
        expect([decorated, parse(whole(decorated))]).toEqual([decorated, plain]);
      }
    }
  });

  const more = [
    'Note 1: ',
    '\nNote 1 (relevant): ',
    'Passage 1, ',
    'not answer ',
    'no ',
    'so the answer is not ',
    '\nAnswer: ',
    'Follow up: ',
    'True ',
    'not true ',
    'Therefore, ',
    'INSUFFICIENT ',
    'sorry ',
    '1. Who? ',
    'Question 1: ',
    '。',
    '…',
  ];
  it('reads twenty thousand characters of anything', () => {
    for (const text of hostile(more)) {
      for (const output of [whole(text), cut(text)]) {
        for (const [, parse] of parsers) parse(output);
        parseNote(output);
        parseEvidence(output);
        parseNewPassage(output);
      }
    }
  }, 60_000);
});
