/** Registering search attributes, on servers that answer as they are told. */
import { expect, test } from 'vitest';
import { registerSearchAttributes } from '../../workers/search-attributes.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.js';

type Connection = Parameters<typeof registerSearchAttributes>[0];

const ALL = Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, 2]));

/** Lists what is there, one answer after the other, and then the last one for good. */
function server(lists: object[], add: () => Promise<object>) {
  const left = [...lists];
  const asked: object[] = [];
  const operatorService = {
    listSearchAttributes: async () => ({
      customAttributes: left.length > 1 ? left.shift() : left[0],
    }),
    addSearchAttributes: async (request: object) => {
      asked.push(request);
      return add();
    },
  };
  return { connection: { operatorService } as unknown as Connection, asked };
}

test('asks for those alone that are missing', async () => {
  const { QaRun: _, ...others } = ALL;
  const { connection, asked } = server([others, others, ALL], async () => ({}));
  expect(await registerSearchAttributes(connection, 'space')).toBeUndefined();
  expect(asked).toEqual([{ namespace: 'space', searchAttributes: { QaRun: 2 } }]);
});

test('a refusal is none where another worker has just registered them', async () => {
  const refused = () => Promise.reject(new Error('14 UNAVAILABLE: version conflict'));
  const { connection } = server([{}, {}, ALL], refused);
  expect(await registerSearchAttributes(connection, 'space')).toBeUndefined();
});

test('a refusal is told where they stay away', async () => {
  const refused = () => Promise.reject(new Error('7 PERMISSION_DENIED: not for you'));
  const { connection } = server([{}], refused);
  expect(await registerSearchAttributes(connection, 'space')).toBe(
    '7 PERMISSION_DENIED: not for you',
  );
});
