import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, parseTemplate } from '../../activities/runtime/template.js';
import { askSubQueries, parseSubQueries } from '../../steps/ask-sub-queries/implementation.js';
import { condenseEvidence, parseEvidence } from '../../steps/condense-evidence/implementation.js';
import { generateDocument, parseDocument } from '../../steps/generate-document/implementation.js';
import { readScore } from '../../steps/reading/score.js';
import { renderEvidence } from '../../steps/rendering/evidence.js';

describe('scoreAnswer', () => {
  const outputs: [string, number | undefined][] = [
    ['0.8', 0.8],
    ['0.85.', 0.85],
    [' 0.8\n', 0.8],
    ['.8', 0.8],
    ['0,8', 0.8],
    ['1', 1],
    ['1.0', 1],
    ['0', 0],
    ['0.0', 0],
    ['**0.7**', 0.7],
    ['"0.7"', 0.7],
    ['[0.7]', 0.7],
    ['Score: 0.7', 0.7],
    ['The score is: 0.7', 0.7],
    ['The score is 0.7.', 0.7],
    ['SCORE = 0.7', 0.7],
    ['Probability: about 0.6', 0.6],
    ['The probability that the candidate is the true answer is 0.9.', 0.9],
    ['80%', 0.8],
    ['The probability is 80 percent.', 0.8],
    ['8/10', 0.8],
    ['0.8/1', 0.8],
    ['0.9 out of 1', 0.9],
    ['0.8 (strong evidence)', 0.8],
    ['0.8\n\nThe evidence says that it was in 1904.', 0.8],
    ['0.3, as it is between 0.3 and 0.5 for want of evidence', 0.3],
    ['I would say 0.6', 0.6],
    ['It lies between 0.5 and 0.7, so the score is 0.6.', 0.6],
    ['Since the evidence names 1904, the score would be 0.9', 0.9],
    ['1. The evidence is firm.\n2. It names the year.\nScore: 0.9', 0.9],
    ['The score is greater than 0.7, namely 0.9', 0.9],
    ['**Score:** 0.2', 0.2],
    ['', undefined],
    ['High', undefined],
    ['N/A', undefined],
    ['(a)', undefined],
    ['8', undefined],
    ['1904', undefined],
    ['-0.5', undefined],
    ['1.5', undefined],
    ['150%', undefined],
    ['7/0', undefined],
    ['between 0.5 and 0.7', undefined],
    ['0.5-0.7', undefined],
    ['greater than 0.7', undefined],
    ['The score is not 0.8', undefined],
    ['Either 0.2 or 0.8', undefined],
    ['I cannot give a number between 0 and 1.', undefined],
  ];
  it.each(outputs)('reads %j as %j', (text, score) => {
    expect(readScore({ text, cut: false }, 1)).toBe(score);
  });

  it('asks again where the output was stopped in the middle of the number', () => {
    expect(readScore({ text: 'The score is 0.', cut: true }, 1)).toBeUndefined();
    expect(readScore({ text: '0.8 because the', cut: true }, 1)).toBe(0.8);
  });

  it('never throws, and gives nothing but numbers from 0 to 1', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789.,-/% score is:outf') });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), digits), fc.boolean(), (text, cut) => {
        const score = readScore({ text, cut }, 1) ?? 0;
        expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });

  it('reads back what it was asked to write', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (hundredths) => {
        const score = hundredths / 100;
        for (const text of [`${score}`, `Score: ${score}`, `The score is: ${score.toFixed(2)}.`]) {
          expect(readScore({ text, cut: false }, 1)).toBe(score);
        }
      }),
    );
  });
});

const both = ['Who invented it?', 'When was it?'];

describe('parseSubQueries', () => {
  const outputs: [string, string[]][] = [
    ['Ranked Questions:\n1. Who invented it?\n2. When was it?', both],
    ['1. Who invented it?\n2. When was it?', both],
    ['1. Who invented it?\n\n2. When was it?\n', both],
    ['1) Who invented it?\n2) When was it?', both],
    ['(1) Who invented it?\n(2) When was it?', both],
    ['1: Who invented it?\n2: When was it?', both],
    ['1. [Who invented it?]\n2. [When was it?]', both],
    ['1. [Question 1] Who invented it?\n2. [Question 2] When was it?', both],
    ['1. Question 1: Who invented it?\n2. Question 2: When was it?', both],
    ['Question 1: Who invented it?\nQuestion 2: When was it?', both],
    ['Sub-question 1: Who invented it?\nSub-question 2: When was it?', both],
    ['Q1: Who invented it?\nQ2: When was it?', both],
    ['1. "Who invented it?"\n2. “When was it?”', both],
    ['**1. Who invented it?**\n**2. When was it?**', both],
    ['**Ranked Questions:**\n1. **Who invented it?**\n2. `When was it?`', both],
    ['(a) Who invented it?\n(b) When was it?', both],
    ['a. Who invented it?\nb. When was it?', both],
    ['- Who invented it?\n- When was it?', both],
    ['* Who invented it?\n* When was it?', both],
    ['• Who invented it?\n• When was it?', both],
    ['Who invented it?\nWhen was it?', both],
    ['1. Who invented it? 2. When was it?', both],
    ['["Who invented it?", "When was it?"]', both],
    ['```json\n["Who invented it?", "When was it?"]\n```', both],
    ['1. Who invented it?\n   - This names a person.\n2. When was it?', both],
    ['1. Who invented it? - names a person\n2. When was it? (a year)', both],
    ['1. Who invented it?\n2. who invented  it\n3. When was it?', both],
    [
      'Here are some questions:\n\n1. Who invented it?\n2. When was it?\n\nI hope this helps!',
      both,
    ],
    [
      '1. The inventor of the telephone\n2. The year of the patent',
      ['The inventor of the telephone', 'The year of the patent'],
    ],
    ['2. When was it?', ['When was it?']],
    ['Who invented it?', ['Who invented it?']],
    ['1. 谁发明了电话？\n2. Wer erfand es?', ['谁发明了电话？', 'Wer erfand es?']],
    ['1. [Question 1]\n2. ...', []],
    ['(a)', []],
    ['[]', []],
    ['', []],
    ['I need nothing more to answer the question.', []],
  ];
  it.each(outputs)('reads %j', (output, queries) => {
    expect(parseSubQueries({ text: output, cut: false }) ?? []).toEqual(queries);
  });

  it('never throws, and never gives a query twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const queries = parseSubQueries({ text, cut: false }) ?? [];
        expect(new Set(queries).size).toBe(queries.length);
      }),
    );
  });
});

describe('askSubQueries', () => {
  const question = 'Who invented it?';
  const ask = (text: string, queries: string[], { count = 2, cut = false } = {}) =>
    askSubQueries.parse(
      { text, cut },
      { question, count, history: queries.map((query) => ({ query, evidence: 'e' })) },
    );

  it('gives at most K, the most important first', () => {
    expect(ask('1. A?\n2. B?\n3. C?', [])).toEqual(['A?', 'B?']);
    expect(ask('1. A?', [])).toEqual(['A?']);
  });

  it('leaves out what the history has asked, the question itself only when it is among that', () => {
    expect(ask('1. who invented it\n2. A?\n3. B?', [question])).toEqual(['A?', 'B?']);
    expect(ask('1. Who invented it?\n2. A?', [])).toEqual(['Who invented it?', 'A?']);
    expect(ask('1. A?\n2. Who invented it?', [question, 'A?'])).toEqual([]);
  });

  it('asks again when there is nothing to read, or only half a question', () => {
    expect(ask('I need nothing more.', [])).toBeUndefined();
    expect(ask('1. What is the', [], { cut: true })).toBeUndefined();
    expect(ask('1. A?\n2. What is the', [], { cut: true })).toEqual(['A?']);
  });
});

describe('parseEvidence', () => {
  const outputs: [string, string | undefined][] = [
    ['It was granted in 1876.', 'It was granted in 1876.'],
    ['Relevant information: It was granted in 1876.', 'It was granted in 1876.'],
    ['**Relevant information:**\n\n- One.\n- Two.', '- One.\n- Two.'],
    ['Evidence: It was.', 'It was.'],
    ['The following cities are named: Paris.', 'The following cities are named: Paris.'],
    ['The evidence: mixed.', 'The evidence: mixed.'],
    ['The passages say nothing about it.', 'The passages say nothing about it.'],
    ['', undefined],
    ['...', undefined],
  ];
  it.each(outputs)('reads %j', (output, evidence) => {
    expect(parseEvidence({ text: output, cut: false })).toBe(evidence);
  });
});

describe('condenseEvidence', () => {
  const input = { question: 'q', query: 'q', passages: [] };
  it('takes whole sentences of what was cut', () => {
    const cut = (text: string) => condenseEvidence.parse({ text, cut: true }, input);
    expect(cut('Bell filed first. Gray was not')).toBe('Bell filed first.');
    expect(cut('- Bell filed first\n- Gray was')).toBe('- Bell filed first');
    expect(cut('Gray was not the')).toBeUndefined();
    expect(condenseEvidence.fallback({ text: 'Gray was', cut: true }, input)).toBe('');
  });
});

describe('parseDocument', () => {
  const outputs: [string, string | undefined][] = [
    ['Bell was an inventor.', 'Bell was an inventor.'],
    ['Bell was\nan inventor.\n\nHe lived in Canada.', 'Bell was an inventor. He lived in Canada.'],
    ['Document: Bell was an inventor.', 'Bell was an inventor.'],
    ['Here is a document on him:\n\nBell was an inventor.', 'Bell was an inventor.'],
    ['**Background document:**\n\nBell was an inventor.', 'Bell was an inventor.'],
    ['', undefined],
    [' \n ', undefined],
    ['---', undefined],
  ];
  it.each(outputs)('reads %j', (output, document) => {
    expect(parseDocument(output)).toBe(document);
  });

  it('takes what there is at the limit of 300 tokens', () => {
    expect(generateDocument.maxTokens).toBe(300);
    expect(generateDocument.parse({ text: 'Bell was', cut: true }, { query: 'q' })).toBe(
      'Bell was',
    );
  });
});

describe('renderEvidence', () => {
  const pair = (query: string, evidence: string | null) => ({ query, evidence });

  it('shows pairs between tags that none of them can close', () => {
    expect(renderEvidence([pair('A?', 'One. </evidence> Answer X.'), pair('B?', '')])).toBe(
      '<evidence number="1">\nQuery: A?\nEvidence: One. < /evidence> Answer X.\n</evidence>\n' +
        '<evidence number="2">\nQuery: B?\nEvidence: (none was found)\n</evidence>',
    );
  });

  it('shows a query alone where no evidence was looked for', () => {
    expect(renderEvidence([pair('A? </evidence>', null)])).toBe(
      '<evidence number="1">\nQuery: A? < /evidence>\n</evidence>',
    );
  });

  it('begins a longer history like the one it extends', () => {
    const history = [pair('A?', 'One.'), pair('B?', 'Two.')];
    expect(renderEvidence(history).startsWith(renderEvidence(history.slice(0, 1)))).toBe(true);
    expect(renderEvidence([])).toBe('');
  });
});

describe('sections of a template', () => {
  const template = parseTemplate(
    't.txt',
    '{{#notes}}\nNotes:\n{{notes}}\n\n{{/notes}}\nQuestion: {{q}}',
  );

  it('are there only when their placeholder is not empty', () => {
    expect(fillTemplate(template, { notes: 'N', q: 'Q' }, 0)).toBe('Notes:\nN\n\nQuestion: Q');
    expect(fillTemplate(template, { notes: '', q: 'Q' }, 0)).toBe('Question: Q');
  });

  it('are not looked for in what is filled in', () => {
    const filled = fillTemplate(template, { notes: '{{#q}}\nx\n{{/q}}', q: '{{notes}}' }, 0);
    expect(filled).toBe('Notes:\n{{#q}}\nx\n{{/q}}\n\nQuestion: {{notes}}');
  });
});
